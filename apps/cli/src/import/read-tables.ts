import { constants } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

export type Row = Readonly<Record<string, unknown>>;

/**
 * All rows of tables of a SQLite database of another product; of a table that does not exist, none. It reads a copy: opening
 * the original could write beside it, and its program may be running. The copy has what others must not see, such as keys, so
 * it is removed at once.
 *
 * @throws an error of the file system or of SQLite
 */
export async function readTables(path: string, names: readonly string[]): Promise<Row[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'citewell-import-'));
  try {
    const copy = join(folder, 'copy.db');
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    // What was written last may only be in the log.
    await copyFile(`${path}-wal`, `${copy}-wal`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    const { DatabaseSync: Database } = await loadSqlite();
    const database = new Database(copy);
    try {
      return names.map((name) => rowsOf(database, name));
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rowsOf(database: DatabaseSync, name: string): Row[] {
  const exists = database.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(name);
  if (exists === undefined) return [];
  return database.prepare(`SELECT * FROM "${name.replaceAll('"', '""')}"`).all();
}

/** Without the warning that the module is experimental, which says nothing to the person. */
async function loadSqlite(): Promise<typeof import('node:sqlite')> {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return await import('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
