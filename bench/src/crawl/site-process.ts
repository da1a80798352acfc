import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('./site-server.js', import.meta.url));

/**
 * Runs `work` while another process serves a web site.
 *
 * @param args of `site-server.ts`
 * @param work gets the origin of the site, without a slash at its end
 */
export async function withSite<Result>(
  args: readonly string[],
  work: (origin: string) => Promise<Result>,
): Promise<Result> {
  const child = spawn(process.execPath, [SERVER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return await work(line.toString().trim());
  } finally {
    child.kill();
  }
}
