import { constants } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

export type Row = Readonly<Record<string, unknown>>;

/**
 * Reads a SQLite database of another product. It reads a copy: opening the original could write beside it, and its program
 * may be running.
 */
export class SqliteCopy {
  private constructor(
    private readonly database: DatabaseSync,
    private readonly folder: string,
  ) {}

  /** @throws an error of the file system or of SQLite */
  static async open(path: string): Promise<SqliteCopy> {
    const folder = await mkdtemp(join(tmpdir(), 'citewell-import-'));
    try {
      await copyFile(path, join(folder, 'copy.db'), constants.COPYFILE_FICLONE);
      // What was written last may only be in the log.
      await copyFile(`${path}-wal`, join(folder, 'copy.db-wal')).catch(() => undefined);
      const { DatabaseSync: Database } = await loadSqlite();
      return new SqliteCopy(new Database(join(folder, 'copy.db')), folder);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** All rows of a table; null if there is no such table. */
  table(name: string): Row[] | null {
    const exists = this.database
      .prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`)
      .get(name);
    if (exists === undefined) return null;
    return this.database.prepare(`SELECT * FROM "${name.replaceAll('"', '""')}"`).all();
  }

  async close(): Promise<void> {
    this.database.close();
    await rm(this.folder, { recursive: true, force: true });
  }
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
