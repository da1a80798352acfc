import { DataSource } from 'typeorm';
import { ENTITIES } from '../schema/entities.js';
import { MIGRATIONS } from '../schema/migrations.js';
import { POSTGRES_DRIVER } from './database-unavailable.js';
import { SnakeCaseNamingStrategy } from './naming-strategy.js';

/** Connection settings of Postgres. */
export interface DatabaseOptions {
  url: string;
  /** Maximum number of connections. */
  poolSize: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
}

/**
 * A data source, to be initialized by the caller. The server cancels statements that run, or wait for a lock,
 * longer than 30 s, and ends transactions that are idle for a minute.
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
      statement_timeout: 30_000,
      lock_timeout: 30_000,
      idle_in_transaction_session_timeout: 60_000,
      keepAlive: true,
    },
  });
}
