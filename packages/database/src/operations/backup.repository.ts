import type { DataSource, EntityManager } from 'typeorm';
import { queryRows, Sql } from '../connection/sql.js';
import { whilePurgesPause } from '../ingestion/purging/backup-lock.js';
import {
  FITTING_SCHEMAS,
  INITIAL_MIGRATION,
  MIGRATIONS,
  timeOf,
  TO_COPY_EARLIER,
} from '../schema/migrations.js';

/** A row of a table. */
export interface BackupRow {
  table: string;
  /** The columns as a JSON object, without line breaks. */
  json: string;
}

const FETCHED_ROWS = 500;
/** A statement inserts rows of about this length. */
const INSERTED_CHARACTERS = 1_000_000;

/** Copies all rows of the product, across organizations. The rows of the queue are left out: it may lose jobs. */
export class BackupRepository {
  /** Name of the latest migration. Rows can be inserted only into a database with the schema that they come from. */
  static readonly schema = MIGRATIONS.at(-1)?.name ?? '';

  /**
   * Why rows cannot be inserted, and what to do. Null if they can be.
   *
   * @param schema the schema of the database that the rows come from
   */
  static refusalOf(schema: string): string | null {
    const own = BackupRepository.schema;
    if (schema === own || FITTING_SCHEMAS.includes(schema)) return null;
    const refusal = `The backup was written by another version: its schema is ${schema}, that of this version ${own}.`;
    return timeOf(schema) < timeOf(INITIAL_MIGRATION)
      ? `${refusal} Restore it with the version that wrote it. ${TO_COPY_EARLIER} Or ingest your content again.`
      : `${refusal} Restore it with the version that wrote it, and upgrade then.`;
  }

  constructor(private readonly dataSource: DataSource) {}

  /** Passes values on, and lets no purge begin before the end. @throws Error if the database was restarted meanwhile */
  whilePurgesPause<Value>(values: AsyncIterable<Value>): AsyncGenerator<Value> {
    return whilePurgesPause(this.dataSource, values);
  }

  /** All rows at one moment, table by table. */
  async *rows(): AsyncGenerator<BackupRow> {
    const runner = this.dataSource.createQueryRunner();
    const fetch = new Sql([`FETCH ${FETCHED_ROWS} FROM backup`], []);
    try {
      await runner.startTransaction('REPEATABLE READ');
      for (const table of this.tables()) {
        await runner.query(`DECLARE backup CURSOR FOR SELECT to_jsonb(t)::text AS json FROM "${table}" t`);
        for (;;) {
          const rows = await queryRows<{ json: string }>(runner, fetch);
          for (const { json } of rows) yield { table, json };
          if (rows.length < FETCHED_ROWS) break;
        }
        await runner.query('CLOSE backup');
      }
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
      await runner.release();
    }
  }

  /**
   * Inserts rows into an empty database: all of them, or none after an error. Foreign keys are not checked, so the user
   * must be a superuser, and the rows must come from {@link rows}.
   */
  async insert(rows: AsyncIterable<BackupRow>): Promise<void> {
    const tables = new Set(this.tables());
    await this.dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL session_replication_role = replica');
      for await (const { table, jsons } of batchesOf(rows)) {
        if (!tables.has(table)) throw new Error(`There is no table "${table}".`);
        await insertBatch(manager, table, jsons);
      }
      // No trigger was executed. A version without gaps may have written the backup.
      await manager.query(
        `INSERT INTO gap_questions (answer_id, organization_id)
         SELECT id, organization_id FROM messages WHERE abstained AND NOT EXISTS (SELECT 1 FROM gap_questions)`,
      );
    });
  }

  private tables(): string[] {
    return this.dataSource.entityMetadatas.map(({ tableName }) => tableName);
  }
}

/** Joins consecutive rows of a table. */
async function* batchesOf(
  rows: AsyncIterable<BackupRow>,
): AsyncGenerator<{ table: string; jsons: string[] }> {
  let table = '';
  let jsons: string[] = [];
  let characters = 0;
  for await (const row of rows) {
    if (jsons.length > 0 && (row.table !== table || characters > INSERTED_CHARACTERS)) {
      yield { table, jsons };
      jsons = [];
      characters = 0;
    }
    table = row.table;
    jsons.push(row.json);
    characters += row.json.length;
  }
  if (jsons.length > 0) yield { table, jsons };
}

/** Columns that the rows do not have get their default: an earlier version wrote the backup. */
async function insertBatch(manager: EntityManager, table: string, jsons: readonly string[]): Promise<void> {
  const row: object = JSON.parse(jsons[0] ?? '{}');
  const columns = Object.keys(row).map((column) => `"${column.replaceAll('"', '""')}"`);
  await manager.query(
    `INSERT INTO "${table}" (${columns.join()}) SELECT ${columns.join()} FROM jsonb_populate_recordset(NULL::"${table}", $1::jsonb)`,
    [`[${jsons.join()}]`],
  );
}
