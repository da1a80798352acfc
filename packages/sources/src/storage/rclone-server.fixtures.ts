import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { StorageSourceConfig } from '@citewell/contracts/schemas';
import {
  freePort,
  type Protocol,
  RCLONE,
  RcloneServer,
  storageSettings,
} from '@citewell/testing/source-servers';
import type { SourceContext } from '../open-source.js';
import type { SourceWorld } from '../source.conformance.js';
import { StorageSource } from './storage.source.js';

export const LOOPBACK = ['127.0.0.0/8'];

const USER = 'someone';
const PASSWORD = 'correct horse?"\'$ battery';
const S3_KEY = 'a/secret+key';

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
  const port = await freePort();
  const login = { user: USER, password: protocol === 's3' ? S3_KEY : PASSWORD };
  const { options, secrets, path } = storageSettings(protocol, port, login);
  const served = join(root, 'served');
  const folder = join(served, path);
  await mkdir(folder, { recursive: true });
  const start = () => RcloneServer.start(protocol, served, port, login);
  let server: RcloneServer | null = await start();
  let time = 1_700_000_000;
  const at = (path: string): string => join(folder, path);
  const move = async (from: string, to: string): Promise<void> => {
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to);
  };
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
