import { createDataSource, type DataSource } from '@citewell/database';

/** Connections to a Postgres by what they are for, this look at them left out. */
export async function connectionsOf(databaseUrl: string): Promise<Map<string, number>> {
  return withDatabase(databaseUrl, async (dataSource) => {
    const rows = await dataSource.query<{ name: string; n: number }[]>(
      `SELECT application_name AS name, count(*)::int AS n FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND application_name <> 'citewell-look'
        GROUP BY 1 ORDER BY 1`,
    );
    return new Map(rows.map((row) => [row.name, row.n]));
  });
}

export async function withDatabase<Answer>(
  url: string,
  ask: (dataSource: DataSource) => Promise<Answer>,
): Promise<Answer> {
  const dataSource = await createDataSource({
    url,
    poolSize: 1,
    applicationName: 'citewell-look',
  }).initialize();
  try {
    return await ask(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
