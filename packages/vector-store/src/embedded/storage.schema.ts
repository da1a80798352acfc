import { createWriteStream, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mkdir } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { VectorStoreError } from '../vector-store.errors.js';
import { DamagedStorageError } from './engine.protocol.js';

/** Name of the database in its directory. */
export const STORAGE_FILE = 'vectors.sqlite';
const SCHEMA_VERSION = 4;
/** Longest wait for the transaction of another process. Those of `citewell doctor` are short. */
export const BUSY_TIMEOUT_MS = 5000;

/**
 * `points` holds the payload of hits, `vectors` the data of the indexes. They are separate tables, so that
 * rescoring reads no text and loading hits reads no vectors. `datastores` and `runs` hold the ids of tenants
 * and runs once instead of in every row. `point_no` only grows (AUTOINCREMENT): an index reads the rows above
 * the last one that it has. `dense` is in the form of `dense-vectors.codec.ts`, `lexical` in that of
 * `point-batch.codec.ts`, `checksum` that of `row-checksum.ts`.
 */
const SCHEMA = `
CREATE TABLE spaces (
  space_ref INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimensions INTEGER
) STRICT;
CREATE TABLE datastores (
  datastore_ref INTEGER PRIMARY KEY AUTOINCREMENT,
  space_ref INTEGER NOT NULL REFERENCES spaces,
  organization_id TEXT NOT NULL,
  datastore_id TEXT NOT NULL,
  UNIQUE (space_ref, organization_id, datastore_id)
) STRICT;
CREATE TABLE runs (
  run_ref INTEGER PRIMARY KEY AUTOINCREMENT,
  datastore_ref INTEGER NOT NULL REFERENCES datastores,
  organization_id TEXT NOT NULL,
  datasource_id TEXT NOT NULL,
  group_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  UNIQUE (datastore_ref, datasource_id, run_id, group_id)
) STRICT;
CREATE INDEX runs_by_id ON runs (organization_id, run_id);
CREATE INDEX runs_by_datasource ON runs (organization_id, datasource_id);
CREATE INDEX runs_by_group ON runs (organization_id, group_id) WHERE group_id <> '';
CREATE TABLE points (
  point_no INTEGER PRIMARY KEY AUTOINCREMENT,
  space_ref INTEGER NOT NULL REFERENCES spaces,
  datastore_ref INTEGER NOT NULL REFERENCES datastores,
  run_ref INTEGER NOT NULL REFERENCES runs,
  id BLOB NOT NULL,
  ordinal INTEGER NOT NULL,
  page INTEGER,
  confidence INTEGER,
  start_offset INTEGER NOT NULL,
  end_offset INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  anchor TEXT,
  heading_path TEXT NOT NULL,
  header TEXT NOT NULL,
  text TEXT NOT NULL,
  checksum INTEGER,
  UNIQUE (space_ref, id)
) STRICT;
CREATE INDEX points_by_datastore ON points (datastore_ref);
CREATE INDEX points_by_run ON points (run_ref, content_hash);
CREATE TABLE vectors (
  point_no INTEGER PRIMARY KEY REFERENCES points ON DELETE CASCADE,
  dense BLOB,
  lexical BLOB NOT NULL,
  checksum INTEGER
) STRICT;
`;

/**
 * Version 1 stored one float32 vector per point. Its spaces are searched by terms until their runs are
 * replaced, so their vectors are not read.
 */
const FORGET_DENSE_SPACES = 'UPDATE spaces SET dimensions = NULL';
/** Rows of versions 1 and 2 have no checksum. */
const ADD_CHECKSUMS = `
ALTER TABLE points ADD COLUMN checksum INTEGER;
ALTER TABLE vectors ADD COLUMN checksum INTEGER;
`;
/** Rows of versions 1 to 3 are of text whose confidence is not known. */
const ADD_CONFIDENCE = 'ALTER TABLE points ADD COLUMN confidence INTEGER';

/**
 * Opens the database in a directory. Creates both if they are missing. A commit is durable when it returns
 * (`synchronous = FULL`), and readers see the last commit while a transaction is open (WAL).
 * @throws DamagedStorageError if there is no file at the path of the database
 * @throws VectorStoreError if a newer version of the software created the database
 */
export function openStorage(directory: string): DatabaseSync {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, STORAGE_FILE);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
    throw new DamagedStorageError('something else is in the place of the file');
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    // The bytes of a deleted row are overwritten with zeros, in pages that stay and in free ones.
    // The first two pragmas take effect on a new database only. A row with its vectors fits into a page of this
    // size, and INCREMENTAL allows free pages to be released in steps.
    database.exec(`
      PRAGMA page_size = 8192;
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA cache_size = -24576;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA secure_delete = ON;
    `);
    createSchema(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

function createSchema(database: DatabaseSync): void {
  if (schemaVersion(database) === SCHEMA_VERSION) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have created the schema while this one waited for the lock.
    const version = schemaVersion(database);
    if (version > SCHEMA_VERSION)
      throw new VectorStoreError(
        'the vector store was written by a newer version of the software; upgrade it',
      );
    if (version === 0) database.exec(SCHEMA);
    if (version === 1) database.exec(FORGET_DENSE_SPACES);
    if (version === 1 || version === 2) database.exec(ADD_CHECKSUMS);
    if (version >= 1 && version <= 3) database.exec(ADD_CONFIDENCE);
    if (version < SCHEMA_VERSION) database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

/** Name of the file that was set aside last. It is kept to find the cause of the damage, and can be deleted. */
export const DAMAGED_FILE = 'vectors.damaged.sqlite';
const SUFFIXES = ['', '-wal', '-shm'];

/** Renames a damaged database, so that a new one is created. Replaces the one that was set aside before. */
export function setStorageAside(directory: string): void {
  for (const suffix of SUFFIXES) {
    const [source, target] = [join(directory, STORAGE_FILE + suffix), join(directory, DAMAGED_FILE + suffix)];
    if (statSync(source, { throwIfNoEntry: false }) === undefined) continue;
    rmSync(target, { recursive: true, force: true });
    renameSync(source, target);
  }
}

/** Identifies the file of the database; null if there is none. Another file has another identity. */
export function storageIdentity(directory: string): string | null {
  const info = statSync(join(directory, STORAGE_FILE), { throwIfNoEntry: false, bigint: true });
  return info === undefined ? null : `${info.dev}:${info.ino}`;
}

/**
 * Writes the data of the embedded vector store at one moment to a new file. Other processes may use the data meanwhile.
 *
 * @param directory of the vector store
 */
export function copyEmbeddedVectors(directory: string, file: string): void {
  const database = openStorage(directory);
  try {
    database.prepare('VACUUM INTO ?').run(file);
  } finally {
    database.close();
  }
}

/** Writes a copy into a directory in which there is no vector store yet. */
export async function restoreEmbeddedVectors(
  directory: string,
  copy: AsyncIterable<Uint8Array>,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  await pipeline(copy, createWriteStream(join(directory, STORAGE_FILE), { flags: 'wx', flush: true }));
}
