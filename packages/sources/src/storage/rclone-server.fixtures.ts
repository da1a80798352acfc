import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { StorageSourceConfig } from '@citewell/contracts/schemas';
import { freePort, type Protocol, RCLONE, RcloneServer } from '@citewell/testing/source-servers';
import type { SourceContext } from '../open-source.js';
import type { SourceWorld } from '../source.conformance.js';
import { StorageSource } from './storage.source.js';

export const LOOPBACK = ['127.0.0.0/8'];

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
  const login = { user: USER, password: protocol === 's3' ? S3_KEY : PASSWORD };
  const start = () => RcloneServer.start(protocol, served, port, login);
  let server: RcloneServer | null = await start();
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
      await server?.stop();
      server = isReachable ? await start() : null;
    },
    async stop() {
      await server?.stop();
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
