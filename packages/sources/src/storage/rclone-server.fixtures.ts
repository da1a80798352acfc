import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { StorageSourceConfig } from '@citewell/contracts/schemas';
import { endWithParent } from '@citewell/observability/child-processes';
import type { SourceContext } from '../open-source.js';
import type { SourceWorld } from '../source.conformance.js';
import { StorageSource } from './storage.source.js';

/** `scripts/install-programs.mjs` puts it there. */
export const RCLONE = fileURLToPath(
  new URL('../../../../node_modules/.cache/rclone/bin/rclone', import.meta.url),
);
export const LOOPBACK = ['127.0.0.0/8'];

export type Protocol = 'webdav' | 'sftp' | 'ftp' | 's3';
const USER = 'someone';
const PASSWORD = 'correct horse?"\'$ battery';
const S3_KEY = 'a/secret+key';
const BUCKET = 'bucket';

/** A folder that rclone serves by a protocol. */
export interface StorageWorld extends SourceWorld {
  readonly config: StorageSourceConfig;
  readonly secrets: Record<string, string>;
  openWith(
    changes: Partial<Pick<StorageSourceConfig, 'options' | 'path'>>,
    context?: Partial<SourceContext>,
  ): Promise<StorageSource>;
}

export async function makeStorageWorld(protocol: Protocol): Promise<StorageWorld> {
  const root = await mkdtemp(join(tmpdir(), 'storage-source-'));
  // Of S3, the first folder is a bucket.
  const served = join(root, 'served');
  const folder = protocol === 's3' ? join(served, BUCKET) : served;
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  let server: ChildProcess | null = await serve(protocol, served, port, root);
  let time = 1_700_000_000;
  const at = (path: string): string => join(folder, path);
  const move = async (from: string, to: string): Promise<void> => {
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to);
  };
  const { options, secrets, path } = settingsOf(protocol, port);
  const config: StorageSourceConfig = { kind: 'storage', provider: protocol, options, path };
  const openWith: StorageWorld['openWith'] = (changes, context) =>
    StorageSource.open(
      { ...config, ...changes },
      { folders: [], secrets, allowPrivateNetworks: LOOPBACK, rclonePath: RCLONE, ...context },
    );
  return {
    config,
    secrets,
    openWith,
    open: () => openWith({}),
    async write(name, content) {
      await mkdir(dirname(at(name)), { recursive: true });
      await writeFile(at(name), content);
      // Protocols tell whole seconds only.
      time += 1;
      await utimes(at(name), time, time);
    },
    remove: (name) => rm(at(name)),
    rename: (from, to) => move(at(from), at(to)),
    async setReachable(isReachable) {
      await end(server);
      server = isReachable ? await serve(protocol, served, port, root) : null;
    },
    async stop() {
      await end(server);
      await rm(root, { recursive: true, force: true });
    },
  };
}

function settingsOf(protocol: Protocol, port: number) {
  const host = { host: '127.0.0.1', port: String(port), user: USER };
  const url = `http://127.0.0.1:${port}/`;
  switch (protocol) {
    case 'webdav':
      return { options: { url, vendor: 'rclone', user: USER }, secrets: { pass: PASSWORD }, path: '' };
    case 's3':
      return {
        options: { endpoint: url, region: 'eu-central-1', access_key_id: USER },
        secrets: { secret_access_key: S3_KEY },
        path: BUCKET,
      };
    case 'sftp':
    case 'ftp':
      return { options: host, secrets: { pass: PASSWORD }, path: '' };
  }
}

async function serve(protocol: Protocol, folder: string, port: number, home: string): Promise<ChildProcess> {
  const login =
    protocol === 's3'
      ? { RCLONE_AUTH_KEY: `"${USER},${S3_KEY}"` }
      : { RCLONE_USER: USER, RCLONE_PASS: PASSWORD };
  const child = spawn(
    RCLONE,
    ['serve', protocol, folder, `--addr=127.0.0.1:${port}`, '--dir-cache-time=0s', '--config='],
    { env: { PATH: process.env['PATH'] ?? '', HOME: home, ...login }, stdio: 'ignore' },
  );
  endWithParent(child, 'KILL');
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`rclone serve ${protocol} has ended`);
    await setTimeout(20);
  }
  return child;
}

async function end(server: ChildProcess | null): Promise<void> {
  if (server === null || server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: '127.0.0.1' });
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
