import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '@citewell/config';
import { openDatabase, type DataSource } from '@citewell/database';
import { findRunningPostgres, PostgresServer } from '@citewell/database/embedded';
import { dataDirectory } from '@citewell/infrastructure';

/** Thrown if the data directory does not exist or contains no database. */
export class NoDatabaseError extends Error {
  constructor(directory: string, exists: boolean) {
    super(
      `The data directory ${directory} ${exists ? 'contains no database' : 'does not exist'}. ` +
        'Set CITEWELL_DATA_DIR to the data directory of the service, or DATABASE_URL to its database. ' +
        'A new installation gets its database when the service starts, or by "citewell migrate".',
    );
    this.name = 'NoDatabaseError';
  }
}

interface DatabaseOptions {
  /** The name of the command, which the connections carry. */
  command: string;
  /** Whether to create the embedded database if it does not exist. */
  ifMissing: 'create' | 'refuse';
  poolSize: number;
}

/**
 * Calls `work` with connections to the configured database and its URL: `DATABASE_URL`, or the embedded database. The
 * embedded database is started for the duration of the call if it is not running.
 *
 * @throws {@link NoDatabaseError} if it does not exist and `ifMissing` is `refuse`
 */
export async function withDatabase<Result>(
  config: Config,
  { command, ifMissing, poolSize }: DatabaseOptions,
  work: (dataSource: DataSource, url: string) => Promise<Result>,
): Promise<Result> {
  return withDatabaseUrl(config, ifMissing, async (url) => {
    const dataSource = await openDatabase({
      url,
      poolSize,
      applicationName: `citewell-${command}`,
    });
    try {
      return await work(dataSource, url);
    } finally {
      await dataSource.destroy();
    }
  });
}

async function withDatabaseUrl<Result>(
  config: Config,
  ifMissing: DatabaseOptions['ifMissing'],
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  if (config.DATABASE_URL !== undefined) return work(config.DATABASE_URL);
  const directory = dataDirectory(config);
  const running = await findRunningPostgres(directory);
  if (running !== null) return work(running);
  if (ifMissing === 'refuse' && !(await exists(join(directory, 'postgres', 'PG_VERSION'))))
    throw new NoDatabaseError(directory, await exists(directory));
  const server = await PostgresServer.start({ directory });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
