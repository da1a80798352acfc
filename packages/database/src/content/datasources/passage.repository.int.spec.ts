import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { PassageRepository } from './passage.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let tenant: TestTenant;
beforeAll(async () => {
  dataSource = await server.database();
  tenant = await TestTenant.create(dataSource);
});
afterAll(() => server.close());

/** Serves texts with these hashes, one after the other. @returns the id of the datasource */
async function serveTexts(hashes: readonly string[]): Promise<string> {
  const { datasource } = await tenant.datasource();
  for (const [index, hash] of hashes.entries()) {
    if (index > 0) await tenant.datasources.sync(tenant.scope, datasource.id);
    const runId = await tenant.serve(datasource.id);
    await dataSource.query('UPDATE runs SET text_hash = $2 WHERE id = $1', [runId, hash]);
  }
  return datasource.id;
}

const changedAt = async (id: string): Promise<Date | null | undefined> =>
  (await new PassageRepository(dataSource).visible(tenant.scope, [tenant.datastoreId], [id])).get(id)
    ?.changedAt;

describe('the change of a document', () => {
  it.each([
    ['no change when it is added', ['a'], null],
    ['a change of its text', ['a', 'b'], expect.any(Date)],
    ['no change of its text', ['a', 'a'], null],
    ['a change before a run with the same text', ['a', 'b', 'b'], expect.any(Date)],
  ])('is %s', async (_, hashes, expected) => {
    expect(await changedAt(await serveTexts(hashes))).toEqual(expected);
  });

  it('is forgotten after seven days, and not renewed by a reindex', async () => {
    const id = await serveTexts(['a', 'b']);
    const move = `UPDATE runs SET finished_at = finished_at - make_interval(days => $2) WHERE datasource_id = $1`;
    await dataSource.query(move, [id, 6]);
    expect(await changedAt(id)).toEqual(expect.any(Date));
    await dataSource.query(move, [id, 2]);
    expect(await changedAt(id)).toBeNull();
    await dataSource.query(
      `UPDATE runs SET trigger = 'reindex', finished_at = now() WHERE datasource_id = $1 AND revision = 2`,
      [id],
    );
    expect(await changedAt(id)).toBeNull();
  });
});
