import { DataSource, DefaultNamingStrategy } from 'typeorm';
import { codeOf, POSTGRES_DRIVER } from './connection/database-unavailable.js';
import { queryRow, sql } from './connection/sql.js';
import { ENTITIES } from './schema/entities.js';
import { MIGRATIONS } from './schema/migrations.js';

/** Connection settings of Postgres. */
export interface DatabaseOptions {
  url: string;
  /** Maximum number of connections. */
  poolSize: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
}

const STATEMENT_TIMEOUT_MS = 20_000;
/** Time for the answer of a canceled statement to arrive. */
const ANSWER_MS = 5_000;

/** Thrown when a connection does not keep its settings, because a pooler gives its statements to several connections. */
export class PoolerError extends Error {
  constructor() {
    super(
      'DATABASE_URL leads to a connection pooler, such as PgBouncer. Citewell needs connections that keep their settings, ' +
        'locks and notifications: give the address of Postgres itself.',
    );
    this.name = 'PoolerError';
  }
}

/** protocol_violation: PgBouncer rejects settings in the start of a connection, unless it is told to ignore them. */
const REJECTED_STARTUP = '08P01';

/**
 * Connects to Postgres. The caller destroys the data source.
 *
 * @throws {@link PoolerError}
 */
export async function openDatabase(options: DatabaseOptions): Promise<DataSource> {
  const dataSource = createDataSource(options);
  try {
    await dataSource.initialize();
  } catch (error) {
    if (codeOf(error) === REJECTED_STARTUP) throw new PoolerError();
    throw error;
  }
  if (await keepsSettings(dataSource)) return dataSource;
  await dataSource.destroy();
  throw new PoolerError();
}

/** Whether connections have the settings of their start. A server, a database or a role may have time limits of its own. */
export async function keepsSettings(dataSource: DataSource): Promise<boolean> {
  const timeout = await queryRow<{ source: string }>(
    dataSource,
    sql`SELECT source FROM pg_settings WHERE name = 'statement_timeout'`,
  );
  return timeout?.source === 'client';
}

/**
 * A data source, to be initialized by the caller. The server cancels statements that run, or wait for a lock,
 * longer than 20 s, and ends transactions that are idle for 30 s. A connection that does not answer is given up.
 */
export function createDataSource({ url, poolSize, applicationName }: DatabaseOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    driver: POSTGRES_DRIVER,
    url,
    applicationName,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeCaseNamingStrategy(),
    installExtensions: false,
    synchronize: false,
    logging: false,
    poolSize,
    connectTimeoutMS: 10_000,
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: STATEMENT_TIMEOUT_MS,
      silenceLimitMs: STATEMENT_TIMEOUT_MS + ANSWER_MS,
      idle_in_transaction_session_timeout: 30_000,
      keepAlive: true,
    },
  });
}

/** Columns are `snake_case` in the database and `camelCase` in entities. */
export class SnakeCaseNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}
