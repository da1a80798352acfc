// oxlint-disable-next-line import/no-default-export -- Jest expects it
export default async function teardown() {
  await globalThis.testPostgres.stop();
}
