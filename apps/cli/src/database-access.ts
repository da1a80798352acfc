import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '@citewell/config';
import { findRunningPostgres, PostgresServer } from '@citewell/database/embedded';
import { dataDirectory } from '@citewell/infrastructure';

/** Thrown when there is no database to look at. */
export class NoDatabaseError extends Error {
  constructor(directory: string) {
    super(
      `There is no database in ${directory}. Set CITEWELL_DATA_DIR or DATABASE_URL, or run "citewell migrate".`,
    );
    this.name = 'NoDatabaseError';
  }
}

/**
 * Works with the database that the configuration names: the one of `DATABASE_URL`, or the embedded one, which is
 * started for as long as the work takes if it is not running.
 *
 * @param missing what to do where the data directory has no database yet
 * @throws {@link NoDatabaseError}
 */
export async function withDatabase<Result>(
  config: Config,
  missing: 'create' | 'refuse',
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  if (config.DATABASE_URL !== undefined) return work(config.DATABASE_URL);
  const directory = dataDirectory(config);
  const running = await findRunningPostgres(directory);
  if (running !== null) return work(running);
  if (missing === 'refuse' && !(await exists(join(directory, 'postgres', 'PG_VERSION'))))
    throw new NoDatabaseError(directory);
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
