import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Config, loadConfig } from '@citewell/config';
import {
  BackupRepository,
  IdentityProviderRepository,
  migrate,
  ModelSettingRepository,
  openDatabase,
  SourceSecretRepository,
  WebhookRepository,
} from '@citewell/database';
import { PostgresServer } from '@citewell/database/embedded';
import { dataDirectory, openLargeBlobStore, secretFile, vectorDirectory } from '@citewell/infrastructure';
import { restoreEmbeddedVectors } from '@citewell/vector-store';
import { type ArchiveEntry, linesOf, readArchive } from '../backup/archive.js';
import {
  BLOBS,
  MANIFEST,
  readRows,
  requireEmbeddedEngines,
  ROWS,
  SECRET,
  VECTORS,
} from '../backup/backup-contents.js';
import { defineCommand } from '../define-command.js';
import { print } from '../terminal/output.js';

const USAGE = 'citewell restore <file>';
const HELP = `Reads the file that "citewell backup" has written into an empty data directory, which may be new.
The version must have the same database schema as the one that wrote the file. The service must not run.`;

/** Only the user of the service may read the data directory. */
const PRIVATE = 0o077;

export const run = defineCommand(
  { usage: USAGE, help: HELP, options: {}, positionals: { required: '<file>', maximum: 1 } },
  async (_, [file = '']) => {
    const config = loadConfig();
    requireEmbeddedEngines(config);
    const directory = dataDirectory(config);
    await requireEmpty(directory);
    process.umask(PRIVATE);
    const entries = readArchive(file);
    await requireRestorable(file, entries);
    await mkdir(directory, { recursive: true });
    const postgres = await PostgresServer.start({ directory });
    let areKeysReadable: boolean;
    try {
      areKeysReadable = await restoreInto(postgres.url, entries, config);
    } catch (error) {
      await postgres.stop();
      // The directory was empty, and what this command has written to it is incomplete.
      for (const name of await readdir(directory))
        await rm(join(directory, name), { recursive: true, force: true });
      throw error;
    }
    await postgres.stop();
    print(`${directory} is restored. Start the service.`);
    if (!areKeysReadable)
      print(
        'The backup has encrypted keys of model servers or secrets of webhooks, but not the secret that decrypts them. Enter ' +
          'the keys again in the settings and rotate the secrets, set CITEWELL_SECRET to the earlier value, or copy the ' +
          'file "secret" of the earlier data directory.',
      );
    return 0;
  },
);

async function requireEmpty(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length > 0)
    throw new Error(
      `${directory} is not empty. Move its content away, or set CITEWELL_DATA_DIR to a new directory.`,
    );
}

/** Reads the first entry, the manifest. @throws Error unless this version can restore the backup */
async function requireRestorable(file: string, entries: AsyncGenerator<ArchiveEntry>): Promise<void> {
  const { value: manifest, done } = await entries.next();
  if (done === true || manifest.name !== MANIFEST) throw new Error(`${file} is not a backup of Citewell.`);
  let text = '';
  for await (const line of linesOf(manifest.content)) text += line;
  const { schema } = JSON.parse(text);
  const refusal = BackupRepository.refusalOf(String(schema));
  if (refusal !== null) throw new Error(refusal);
}

/** @returns whether the stored keys of model servers may be readable */
async function restoreInto(
  url: string,
  entries: AsyncIterable<ArchiveEntry>,
  config: Config,
): Promise<boolean> {
  const dataSource = await openDatabase({ url, poolSize: 2, applicationName: 'citewell-restore' });
  const blobStore = openLargeBlobStore(config);
  try {
    const database = new BackupRepository(dataSource);
    await migrate(dataSource);
    let areRowsRestored = false;
    let isSecretRestored = false;
    for await (const entry of entries) {
      if (entry.name === ROWS) {
        await database.insert(readRows(entry));
        areRowsRestored = true;
      } else if (entry.name === VECTORS) await restoreEmbeddedVectors(vectorDirectory(config), entry.content);
      else if (entry.name === SECRET) {
        await writeFile(secretFile(config), await buffer(entry.content), { mode: 0o600, flush: true });
        isSecretRestored = true;
      } else if (entry.name.startsWith(BLOBS))
        await blobStore.put(entry.name.slice(BLOBS.length), entry.content);
      else throw new Error(`The backup contains an unknown file, ${entry.name}.`);
    }
    if (!areRowsRestored) throw new Error('The backup is incomplete.');
    if (isSecretRestored || config.CITEWELL_SECRET !== undefined) return true;
    const hasKeys = await new ModelSettingRepository(dataSource).hasKeys();
    if (hasKeys || (await new WebhookRepository(dataSource).hasSecrets())) return false;
    if (await new SourceSecretRepository(dataSource).hasSecrets()) return false;
    return !(await new IdentityProviderRepository(dataSource).hasSecrets());
  } finally {
    await blobStore.close();
    await dataSource.destroy();
  }
}
