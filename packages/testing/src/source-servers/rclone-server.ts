import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endWithParent } from '@citewell/observability/child-processes';

/** `scripts/install-programs.mjs` puts it there. */
export const RCLONE = fileURLToPath(
  new URL('../../../../node_modules/.cache/rclone/bin/rclone', import.meta.url),
);

export type Protocol = 'webdav' | 'sftp' | 'ftp' | 's3';

/** A folder that rclone serves on loopback. */
export class RcloneServer {
  private constructor(private readonly child: ChildProcess) {}

  /** @param login of S3, the id and the secret of an access key */
  static async start(
    protocol: Protocol,
    folder: string,
    port: number,
    { user, password }: { user: string; password: string },
  ): Promise<RcloneServer> {
    const login =
      protocol === 's3'
        ? { RCLONE_AUTH_KEY: `"${user},${password}"` }
        : { RCLONE_USER: user, RCLONE_PASS: password };
    const child = spawn(
      RCLONE,
      ['serve', protocol, folder, `--addr=127.0.0.1:${port}`, '--dir-cache-time=0s', '--config='],
      // It keeps keys of its own below its home.
      { env: { PATH: process.env['PATH'] ?? '', HOME: `${folder}.home`, ...login }, stdio: 'ignore' },
    );
    endWithParent(child, 'KILL');
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`rclone serve ${protocol} has ended`);
      await setTimeout(20);
    }
    return new RcloneServer(child);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: '127.0.0.1' });
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
