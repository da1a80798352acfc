import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('./site-server.js', import.meta.url));

/** Runs something against a web site that another process serves. @param work gets its address, without a slash */
export async function withSite<Result>(
  kind: 'generated' | 'folder',
  argument: string,
  work: (origin: string) => Promise<Result>,
): Promise<Result> {
  const child = spawn(process.execPath, [SERVER, kind, argument], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return await work(line.toString().trim());
  } finally {
    child.kill();
  }
}
