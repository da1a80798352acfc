import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { DataSource } from 'typeorm';
import { beginCrawls, PAGE_CHARACTERS, TestCrawl } from '../fixtures/crawl.fixtures.js';
import { SPACE, TestTenant } from '../fixtures/tenant.fixtures.js';
import { LeaseLostError } from './lease.js';
import type { LeasedRun } from './take-runs.js';

const MOST = { runs: 3, characters: 1_000 };

describe('pages that are taken along with one of their site', () => {
  let dataSource: DataSource;
  let tenant: TestTenant;
  let crawl: TestCrawl;
  beginCrawls((begun) => ({ dataSource, tenant, crawl } = begun));

  const endOthers = (): Promise<unknown> =>
    dataSource.query(`UPDATE runs SET state = 'cancelled' WHERE stage = 'indexing'`);
  beforeEach(endOthers);

  const url = (n: number): string => `https://site.example/${n}`;
  const pages = async (count: number, of = crawl): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(await of.page(url(n)));
    return ids;
  };
  /** One that the dispatcher has delivered; the others wait. */
  const delivered = async (stage: 'indexing' | 'parsing' = 'indexing'): Promise<LeasedRun> => {
    const [claimed] = await tenant.dispatch.claim(stage, 1);
    assert.ok(claimed);
    const leased = await tenant.lifecycle.take(claimed, SPACE);
    assert.ok(leased);
    return leased;
  };
  const idsOf = (runs: readonly LeasedRun[]): string[] =>
    runs.map(({ datasource }) => datasource.id).toSorted();
  const stateOf = async (pageId: string | undefined): Promise<string | undefined> =>
    (await tenant.view(pageId ?? '')).current?.state;

  it('are the oldest, as many as asked for, and can be brought to serve', async () => {
    const ids = await pages(6);
    const first = await delivered();
    const along = await tenant.lifecycle.takeAlong(first.run, MOST, SPACE);
    assert.deepEqual(idsOf([first, ...along]), ids.slice(0, 4).toSorted());
    assert.equal(await stateOf(ids[4]), 'pending');
    assert.ok([first, ...along].every(({ wasWriting }) => !wasWriting));
    for (const { run, datasource, serving } of along) {
      assert.deepEqual(
        [run.state, run.space, datasource.status, serving],
        ['active', SPACE, 'running', null],
      );
      await tenant.lifecycle.serve(run, { chunks: 1, characters: PAGE_CHARACTERS, bytes: 1, pages: 0 });
      assert.equal((await tenant.view(datasource.id)).datasource.status, 'synched');
    }
  });

  it('are no more characters than asked for', async () => {
    await pages(4);
    const { run } = await delivered();
    const along = await tenant.lifecycle.takeAlong(run, { runs: 10, characters: 2 * PAGE_CHARACTERS });
    assert.equal(along.length, 2);
  });

  it('take no slot of a worker, and no turn of their organization', async () => {
    await pages(6);
    const stages = [{ stage: 'indexing', queue: 'index' }] as const;
    const room = async () => (await tenant.dispatch.outlook(stages, 5)).room.get('indexing');
    const { run } = await delivered();
    const before = await room();
    assert.equal((await tenant.lifecycle.takeAlong(run, MOST)).length, 3);
    assert.equal(await room(), before);
    const [next] = await tenant.dispatch.claim('indexing', 1);
    assert.equal(next?.turn, 2);
  });

  it('are of the same site and the same stage', async () => {
    await pages(1);
    const { run } = await delivered();
    const { datasource } = await tenant.datasource();
    await tenant.take(datasource.id).then(({ run: text }) => tenant.lifecycle.advance(text, 'indexing', {}));
    await pages(1, await TestCrawl.begin(tenant));
    await crawl.find([url(9)]);
    await crawl.settle(url(9), { kind: 'page', content: await crawl.content('a file', { document: false }) });
    assert.deepEqual(await tenant.lifecycle.takeAlong(run, MOST), []);
  });

  it('are none beside what is not a page of a site', async () => {
    const { datasource } = await tenant.datasource();
    const { run } = await tenant.take(datasource.id);
    await tenant.datasource();
    assert.deepEqual(await tenant.lifecycle.takeAlong(run, MOST), []);
  });

  it('are none while another organization waits for a worker', async () => {
    const other = await TestTenant.create(dataSource);
    for (const [taker, waiting] of [
      [crawl, other],
      [await TestCrawl.begin(other), tenant],
    ] as const) {
      await pages(3, taker);
      const { run } = await delivered();
      const { datasource } = await waiting.datasource();
      const parsing = await waiting.take(datasource.id);
      assert.equal(
        (await taker.tenant.lifecycle.takeAlong(run, { ...MOST, runs: 1 })).length,
        1,
        'of another stage',
      );
      await waiting.lifecycle.advance(parsing.run, 'indexing', {});
      assert.deepEqual(await taker.tenant.lifecycle.takeAlong(run, MOST), [], 'it is pending');
      await tenant.dispatch.claim('indexing', 1);
      assert.deepEqual(await taker.tenant.lifecycle.takeAlong(run, MOST), [], 'it is on its way');
      await waiting.lifecycle.cancel(waiting.organizationId, datasource.id);
      assert.equal((await taker.tenant.lifecycle.takeAlong(run, MOST)).length, 1);
      await endOthers();
    }
  });

  it('have not failed nor killed a worker, and are none beside one that has', async () => {
    const ids = await pages(4);
    const { run } = await delivered();
    await dataSource.query('UPDATE runs SET crashes = 1 WHERE datasource_id = $1', [ids[1]]);
    await dataSource.query('UPDATE runs SET failures = 1 WHERE datasource_id = $1', [ids[2]]);
    assert.deepEqual(await tenant.lifecycle.takeAlong({ ...run, crashes: 1 }, MOST), []);
    assert.deepEqual(idsOf(await tenant.lifecycle.takeAlong(run, MOST)), [ids[3]]);
  });

  it('are not those that were deleted, or are claimed at the same moment', async () => {
    const ids = await pages(4);
    const { run } = await delivered();
    await tenant.datasources.markDeleted(tenant.scope, ids[1] ?? '');
    const [along, claimed] = await Promise.all([
      tenant.lifecycle.takeAlong(run, MOST),
      tenant.dispatch.claim('indexing', 10),
    ]);
    const got = [...idsOf(along), ...claimed.map(({ datasourceId }) => datasourceId)];
    assert.deepEqual(got.toSorted(), [ids[2], ids[3]].toSorted(), 'each once');
  });

  it('belong to whom took them: a worker whose lease ran out changes nothing', async () => {
    await pages(2);
    const { run } = await delivered();
    const [along] = await tenant.lifecycle.takeAlong(run, MOST, SPACE);
    assert.ok(along);
    await dataSource.query(`UPDATE runs SET lease_until = now() - interval '1 second' WHERE id = $1`, [
      along.run.id,
    ]);
    assert.equal(await tenant.lifecycle.crashed(along.run.id), 'waits');
    const again = await delivered();
    assert.equal(again.run.id, along.run.id);
    assert.equal(along.wasWriting, false);
    assert.equal(again.wasWriting, true, 'its points may be there');
    await assert.rejects(tenant.lifecycle.heartbeat(along.run, null), LeaseLostError);
    await tenant.lifecycle.heartbeat(again.run, null);
  });
});
