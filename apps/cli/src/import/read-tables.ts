import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { inTemporaryFolder } from './temporary-folder.js';

export type Row = Readonly<Record<string, unknown>>;

/**
 * A temporary database with tables of a SQLite database of another product, as far as they exist. It is made from a copy:
 * opening the original could write beside it, and its program may be running. The copy has what others must not see, such as
 * keys, so it is removed as soon as its tables are read. SQLite removes the temporary database however the process ends.
 *
 * @throws an error of the file system or of SQLite
 */
export async function openTables(path: string, names: readonly string[]): Promise<DatabaseSync> {
  const { DatabaseSync: Database } = await loadSqlite();
  return inTemporaryFolder(async (folder) => {
    const copy = join(folder, 'copy.db');
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    // What was written last may only be in the log.
    await copyFile(`${path}-wal`, `${copy}-wal`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    const database = new Database('');
    try {
      database.prepare('ATTACH ? AS copy').run(copy);
      for (const name of names)
        if (hasTable(database, 'copy', name))
          database.exec(`CREATE TABLE "${name}" AS SELECT * FROM copy."${name}"`);
      database.exec('DETACH copy');
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** The rows of a table of {@link openTables}, read one by one; of a table that does not exist, none. */
export function rowsOf(database: DatabaseSync, name: string): Iterable<Row> {
  return hasTable(database, 'main', name) ? database.prepare(`SELECT * FROM "${name}"`).iterate() : [];
}

function hasTable(database: DatabaseSync, schema: 'main' | 'copy', name: string): boolean {
  const find = `SELECT 1 FROM ${schema}.sqlite_master WHERE type = 'table' AND name = ?`;
  return database.prepare(find).get(name) !== undefined;
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
