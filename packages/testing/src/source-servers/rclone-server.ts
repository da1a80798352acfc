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

export interface Login {
  readonly user: string;
  /** Of S3, the secret of an access key, whose id is `user`. */
  readonly password: string;
}

/** A folder that rclone serves on loopback. */
export class RcloneServer {
  private constructor(private readonly child: ChildProcess) {}

  /**
   * @param options.isUnchanging whether the folder stays as it is: without a cache, rclone reads a folder again for each of its
   * files. Default: false
   */
  static async start(
    protocol: Protocol,
    folder: string,
    port: number,
    { user, password }: Login,
    { isUnchanging = false }: { readonly isUnchanging?: boolean } = {},
  ): Promise<RcloneServer> {
    const login =
      protocol === 's3'
        ? { RCLONE_AUTH_KEY: `"${user},${password}"` }
        : { RCLONE_USER: user, RCLONE_PASS: password };
    const child = spawn(
      RCLONE,
      [
        'serve',
        protocol,
        folder,
        `--addr=127.0.0.1:${port}`,
        `--dir-cache-time=${isUnchanging ? '1h' : '0s'}`,
        '--config=',
      ],
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

/**
 * How a source of the kind `storage` reaches an {@link RcloneServer}.
 *
 * @returns `path`, the folder below the served one where its documents are: of S3, the first folder is a bucket
 */
export function storageSettings(
  protocol: Protocol,
  port: number,
  { user, password }: Login,
): {
  readonly options: Record<string, string>;
  readonly secrets: Record<string, string>;
  readonly path: string;
} {
  const url = `http://127.0.0.1:${port}/`;
  switch (protocol) {
    case 'webdav':
      return { options: { url, vendor: 'rclone', user }, secrets: { pass: password }, path: '' };
    case 's3':
      return {
        options: { endpoint: url, region: 'eu-central-1', access_key_id: user },
        secrets: { secret_access_key: password },
        path: 'bucket',
      };
    case 'sftp':
    case 'ftp':
      return {
        options: { host: '127.0.0.1', port: String(port), user },
        secrets: { pass: password },
        path: '',
      };
  }
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: '127.0.0.1' });
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
