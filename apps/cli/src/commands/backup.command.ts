import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { formatBytes } from '@citewell/contracts/errors';
import type { BlobStore } from '@citewell/blob-store';
import { loadConfig } from '@citewell/config';
import { BackupRepository, schemaIsCurrent } from '@citewell/database';
import { openLargeBlobStore, secretFile, vectorDirectory } from '@citewell/infrastructure';
import { writeArchive } from '../backup/archive.js';
import { backupContents, requireEmbeddedEngines } from '../backup/backup-contents.js';
import { defineCommand } from '../define-command.js';
import { print } from '../terminal/output.js';
import { withDatabase } from '../with-database.js';

const USAGE = 'citewell backup <file> [--with-secret]';
const HELP = `Writes all data of the data directory to a new file, such as backup.tar.gz. The service may run meanwhile.
The file contains all documents and conversations: store it like the data directory itself.
Keys of model servers and secrets of webhooks are encrypted in it. Without --with-secret, keys must be entered again after
a restore, and secrets rotated, unless CITEWELL_SECRET is set to the same value.
Run this command on the server, with the server's configuration. "citewell restore" reads the file.

  --with-secret    add the file that decrypts these keys and secrets. Whoever has the backup can then read them`;

export const run = defineCommand(
  {
    usage: USAGE,
    help: HELP,
    options: { 'with-secret': { type: 'boolean' } },
    positionals: { required: '<file>', maximum: 1 },
  },
  async ({ 'with-secret': isWithSecret = false }, [name = '']) => {
    const config = loadConfig();
    requireEmbeddedEngines(config);
    const file = resolve(name);
    await withDatabase(
      config,
      { command: 'backup', ifMissing: 'refuse', poolSize: 3 },
      async (dataSource) => {
        if (!(await schemaIsCurrent(dataSource)))
          throw new Error('The database is of an older release. Run "citewell migrate" first.');
        const database = new BackupRepository(dataSource);
        const sources = {
          database,
          vectorDirectory: vectorDirectory(config),
          blobs: pathsOf(openLargeBlobStore(config)),
          secret: isWithSecret ? secretFile(config) : null,
        };
        await writeArchive(file, (scratchDirectory) =>
          database.whilePurgesPause(backupContents(sources, scratchDirectory)),
        );
      },
    );
    print(`Wrote ${file} (${formatBytes((await stat(file)).size)}).`);
    return 0;
  },
);

async function* pathsOf(blobStore: BlobStore): AsyncGenerator<{ key: string; path: string }> {
  for await (const { key } of blobStore.list('')) {
    const path = (await blobStore.localPath?.(key)) ?? null;
    if (path !== null) yield { key, path };
  }
}
