import { DataSource } from 'typeorm';
import { ENTITIES } from '../schema/entities.js';
import { MIGRATIONS } from '../migrations/index.js';
import { SnakeCaseNamingStrategy } from './naming-strategy.js';

/** How to reach Postgres. */
export interface DatabaseOptions {
  url: string;
  /** Connections of this process at the most. */
  poolSize: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
}

/**
 * The one way to the database. Statements that wait longer than 30 s for a lock or for their end are broken
 * off by the server: every wait has a limit.
 */
export function createDataSource({ url, poolSize, applicationName }: DatabaseOptions): DataSource {
  return new DataSource({
    type: 'postgres',
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
      statement_timeout: 30_000,
      lock_timeout: 30_000,
      idle_in_transaction_session_timeout: 60_000,
      keepAlive: true,
    },
  });
}
