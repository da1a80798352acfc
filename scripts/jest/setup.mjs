import { createDataSource, migrate } from '../../packages/database/dist/index.js';
import { startPostgres } from '../../packages/testing/dist/index.js';

/**
 * Starts one Postgres for all test files of a run, with a database that has the current schema. Tests create copies of
 * it, which takes some 20 ms. `TEST_POSTGRES_URL` and `TEST_POSTGRES_TEMPLATE` tell the test files.
 */
// oxlint-disable-next-line import/no-default-export -- Jest expects it
export default async function setup() {
  const postgres = await startPostgres();
  const template = await postgres.createDatabase();
  const dataSource = await createDataSource({
    url: template,
    poolSize: 2,
    applicationName: 'citewell-test',
  }).initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  process.env.TEST_POSTGRES_URL = postgres.url;
  process.env.TEST_POSTGRES_TEMPLATE = new URL(template).pathname.slice(1);
  // Setup and teardown run in the same process.
  globalThis.testPostgres = postgres;
}
