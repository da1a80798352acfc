import { createDataSource, type DataSource } from '@citewell/database';

const APPLICATION_NAME = 'citewell-observer';

/** Number of client connections to a Postgres server by `application_name`, without the one that asks. */
export async function connectionsOf(databaseUrl: string): Promise<Map<string, number>> {
  return withDatabase(databaseUrl, async (dataSource) => {
    const rows = await dataSource.query<{ name: string; n: number }[]>(
      `SELECT application_name AS name, count(*)::int AS n FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND application_name <> '${APPLICATION_NAME}'
        GROUP BY 1 ORDER BY 1`,
    );
    return new Map(rows.map((row) => [row.name, row.n]));
  });
}

/** Runs `work` with a connection of its own. */
export async function withDatabase<Result>(
  url: string,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  const dataSource = await createDataSource({
    url,
    poolSize: 1,
    applicationName: APPLICATION_NAME,
  }).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
