import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { DataSource } from 'typeorm';
import { PAGE_CHARACTERS, TestSite } from '../fixtures/site.fixtures.js';
import { SPACE, TestTenant } from '../fixtures/tenant.fixtures.js';
import { ThrowAwayServer } from '../fixtures/throw-away-server.fixtures.js';
import { LeaseLostError } from './lease.js';
import type { LeasedRun } from './claim-runs.js';

const LIMITS = { runs: 3, characters: 1_000 };

describe('siblings of a page', () => {
  let server: ThrowAwayServer;
  let dataSource: DataSource;
  let tenant: TestTenant;
  let site: TestSite;
  before(async () => {
    server = await ThrowAwayServer.start();
    dataSource = await server.database();
  });
  after(() => server.stop());

  const endOthers = (): Promise<unknown> =>
    dataSource.query(`UPDATE runs SET state = 'cancelled' WHERE stage = 'indexing'`);
  beforeEach(async () => {
    await endOthers();
    tenant = await TestTenant.create(dataSource);
    site = await TestSite.begin(tenant);
  });

  /** Claims and takes one run; the others wait. */
  const delivered = async (stage: 'indexing' | 'parsing' = 'indexing'): Promise<LeasedRun> => {
    const [claimed] = await tenant.dispatch.claim(stage, 1);
    assert.ok(claimed);
    const leased = await tenant.lifecycle.claimDelivered(claimed, SPACE);
    assert.ok(leased);
    return leased;
  };
  const idsOf = (runs: readonly LeasedRun[]): string[] =>
    runs.map(({ datasource }) => datasource.id).toSorted();
  const stateOf = async (pageId: string | undefined): Promise<string | undefined> =>
    (await tenant.view(pageId ?? '')).current?.state;

  it('are the oldest, up to the limit, and can serve', async () => {
    const ids = await site.pages(6);
    const first = await delivered();
    const siblings = await tenant.lifecycle.claimSiblings(first.run, LIMITS, SPACE);
    assert.deepEqual(idsOf([first, ...siblings]), ids.slice(0, 4).toSorted());
    assert.equal(await stateOf(ids[4]), 'pending');
    assert.ok([first, ...siblings].every(({ wasWriting }) => !wasWriting));
    for (const { run, datasource, serving } of siblings) {
      assert.deepEqual(
        [run.state, run.space, datasource.status, serving],
        ['active', SPACE, 'running', null],
      );
      await tenant.lifecycle.serve(run, { chunks: 1, characters: PAGE_CHARACTERS, bytes: 1, pages: 0 });
      assert.equal((await tenant.view(datasource.id)).datasource.status, 'synched');
    }
  });

  it('have no more characters than the limit', async () => {
    await site.pages(4);
    const { run } = await delivered();
    const siblings = await tenant.lifecycle.claimSiblings(run, { runs: 10, characters: 2 * PAGE_CHARACTERS });
    assert.equal(siblings.length, 2);
  });

  it('do not count as runs in flight', async () => {
    await site.pages(6);
    const stages = [{ stage: 'indexing', queue: 'index' }] as const;
    const capacity = async () => (await tenant.dispatch.backlog(stages, 5)).capacity.get('indexing');
    const { run } = await delivered();
    const before = await capacity();
    assert.equal((await tenant.lifecycle.claimSiblings(run, LIMITS)).length, 3);
    assert.equal(await capacity(), before);
    const [next] = await tenant.dispatch.claim('indexing', 1);
    assert.equal(next?.priority, 2);
  });

  it('are of the same site and the same stage', async () => {
    await site.pages(1);
    const { run } = await delivered();
    const { datasource } = await tenant.datasource();
    await tenant.take(datasource.id).then(({ run: text }) => tenant.lifecycle.advance(text, 'indexing', {}));
    await (await TestSite.begin(tenant)).page();
    await site.page('https://site.example/file.pdf', { isParsed: false });
    assert.deepEqual(await tenant.lifecycle.claimSiblings(run, LIMITS), []);
  });

  it('are none of a run that is not of a page of a site', async () => {
    const { datasource } = await tenant.datasource();
    const { run } = await tenant.take(datasource.id);
    await tenant.datasource();
    assert.deepEqual(await tenant.lifecycle.claimSiblings(run, LIMITS), []);
  });

  it('are not claimed while another organization waits for a worker', async () => {
    const other = await TestTenant.create(dataSource);
    for (const [claiming, waiting] of [
      [site, other],
      [await TestSite.begin(other), tenant],
    ] as const) {
      await claiming.pages(3);
      const { run } = await delivered();
      const { datasource } = await waiting.datasource();
      const parsing = await waiting.take(datasource.id);
      assert.equal(
        (await claiming.tenant.lifecycle.claimSiblings(run, { ...LIMITS, runs: 1 })).length,
        1,
        'it waits for another stage',
      );
      await waiting.lifecycle.advance(parsing.run, 'indexing', {});
      assert.deepEqual(await claiming.tenant.lifecycle.claimSiblings(run, LIMITS), [], 'it is pending');
      await tenant.dispatch.claim('indexing', 1);
      assert.deepEqual(await claiming.tenant.lifecycle.claimSiblings(run, LIMITS), [], 'it is queued');
      await waiting.lifecycle.cancel(waiting.organizationId, datasource.id);
      assert.equal((await claiming.tenant.lifecycle.claimSiblings(run, LIMITS)).length, 1);
      await endOthers();
    }
  });

  it('have neither failed nor crashed a worker, nor has the page', async () => {
    const ids = await site.pages(4);
    const { run } = await delivered();
    await dataSource.query('UPDATE runs SET crashes = 1 WHERE datasource_id = $1', [ids[1]]);
    await dataSource.query('UPDATE runs SET failures = 1 WHERE datasource_id = $1', [ids[2]]);
    assert.deepEqual(await tenant.lifecycle.claimSiblings({ ...run, crashes: 1 }, LIMITS), []);
    assert.deepEqual(idsOf(await tenant.lifecycle.claimSiblings(run, LIMITS)), [ids[3]]);
  });

  it('are neither deleted nor claimed at the same moment', async () => {
    const ids = await site.pages(4);
    const { run } = await delivered();
    await tenant.datasources.markDeleted(tenant.scope, ids[1] ?? '');
    const [siblings, claimed] = await Promise.all([
      tenant.lifecycle.claimSiblings(run, LIMITS),
      tenant.dispatch.claim('indexing', 10),
    ]);
    const all = [...idsOf(siblings), ...claimed.map(({ datasourceId }) => datasourceId)];
    assert.deepEqual(all.toSorted(), [ids[2], ids[3]].toSorted(), 'each once');
  });

  it('have leases of their own, which can expire', async () => {
    await site.pages(2);
    const { run } = await delivered();
    const [sibling] = await tenant.lifecycle.claimSiblings(run, LIMITS, SPACE);
    assert.ok(sibling);
    await dataSource.query(`UPDATE runs SET lease_until = now() - interval '1 second' WHERE id = $1`, [
      sibling.run.id,
    ]);
    assert.equal(await tenant.lifecycle.crashed(sibling.run.id), 'waits');
    const next = await delivered();
    assert.equal(next.run.id, sibling.run.id);
    assert.equal(sibling.wasWriting, false);
    assert.equal(next.wasWriting, true, 'the earlier attempt may have written points');
    await assert.rejects(tenant.lifecycle.heartbeat(sibling.run, null), LeaseLostError);
    await tenant.lifecycle.heartbeat(next.run, null);
  });
});
