import { rm } from 'node:fs/promises';

// oxlint-disable-next-line import/no-default-export -- Jest expects it
export default async function teardown() {
  await globalThis.testPostgres.stop();
  await rm(process.env.TEST_DATA_DIRECTORY, { recursive: true, force: true });
}
