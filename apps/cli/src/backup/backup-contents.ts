import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '@citewell/config';
import { BackupRepository, type BackupRow } from '@citewell/database';
import { copyEmbeddedVectors } from '@citewell/vector-store';
import { UsageError } from '../describe-error.js';
import { type ArchivedFile, type ArchiveEntry, linesOf } from './archive.js';

/** Names in the archive. */
export const MANIFEST = 'manifest.json';
export const VECTORS = 'vectors.sqlite';
export const BLOBS = 'blobs/';
export const ROWS = 'rows.tsv';
/** The key of the secrets, if it was asked for. */
export const SECRET = 'secret';

export interface BackupSources {
  readonly database: Pick<BackupRepository, 'rows'>;
  readonly vectorDirectory: string;
  /** Keys of all large blobs, each with the path of its file. Small blobs are rows. */
  readonly blobs: AsyncIterable<{ readonly key: string; readonly path: string }>;
  /** Path of the file with the key of the secrets. Null leaves it out: then nobody can read the secrets of the rows. */
  readonly secret: string | null;
}

/**
 * The files of a backup. The rows are read first, and refer only to points and blobs that were written before: so these
 * are in the backup, if none is purged meanwhile. The rows come last in the archive: while they are inserted, everything
 * else has been restored.
 */
export async function* backupContents(
  { database, vectorDirectory, blobs, secret }: BackupSources,
  scratchDirectory: string,
): AsyncGenerator<ArchivedFile> {
  const inScratch = (name: string): ArchivedFile => ({ name, path: join(scratchDirectory, name) });
  const [manifest, rows, vectors] = [inScratch(MANIFEST), inScratch(ROWS), inScratch(VECTORS)];
  await writeFile(manifest.path, JSON.stringify({ schema: BackupRepository.schema }));
  yield manifest;
  await pipeline(Readable.from(formatted(database.rows())), createWriteStream(rows.path));
  copyEmbeddedVectors(vectorDirectory, vectors.path);
  yield vectors;
  for await (const { key, path } of blobs) yield { name: BLOBS + key, path };
  if (secret !== null) yield { name: SECRET, path: secret };
  yield rows;
}

async function* formatted(rows: AsyncIterable<BackupRow>): AsyncGenerator<string> {
  for await (const { table, json } of rows) yield `${table}\t${json}\n`;
}

/** Reads the entry {@link ROWS}. */
export async function* readRows({ content }: ArchiveEntry): AsyncGenerator<BackupRow> {
  for await (const line of linesOf(content)) {
    const tab = line.indexOf('\t');
    yield { table: line.slice(0, tab), json: line.slice(tab + 1) };
  }
}

/** @throws {@link UsageError} unless the database, the vectors and the blobs are in the data directory */
export function requireEmbeddedEngines(config: Config): void {
  const variables = (['DATABASE_URL', 'QDRANT_URL', 'S3_BUCKET'] as const).filter(
    (name) => config[name] !== undefined,
  );
  if (variables.length === 0) return;
  throw new UsageError(
    `Only a data directory can be backed up and restored, and ${variables.join(' and ')} names another place. ` +
      'Use the tools of those servers.',
  );
}
