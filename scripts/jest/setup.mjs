import { createDataSource, migrate } from '../../packages/database/dist/index.js';
import { migrateQueue } from '../../packages/queue/dist/index.js';
import { createDataDirectory, startPostgres } from '../../packages/testing/dist/index.js';

/**
 * Starts one Postgres for all test files of a run, with a database that has the current schema. Tests create copies of
 * it, which takes some 20 ms. `TEST_POSTGRES_URL` and `TEST_POSTGRES_TEMPLATE` tell the test files. Embedded deployments
 * start on copies of `TEST_DATA_DIRECTORY`.
 */
// oxlint-disable-next-line import/no-default-export -- Jest expects it
export default async function setup() {
  const dataDirectory = await createDataDirectory(async (url) => {
    await migrateDatabase(url);
    await migrateQueue(url);
  });
  const postgres = await startPostgres(dataDirectory);
  const template = await postgres.createDatabase();
  await migrateDatabase(template);
  process.env.TEST_POSTGRES_URL = postgres.url;
  process.env.TEST_POSTGRES_TEMPLATE = new URL(template).pathname.slice(1);
  process.env.TEST_DATA_DIRECTORY = dataDirectory;
  // Setup and teardown run in the same process.
  globalThis.testPostgres = postgres;
}

async function migrateDatabase(url) {
  const dataSource = await createDataSource({
    url,
    poolSize: 2,
    applicationName: 'citewell-test',
  }).initialize();
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
