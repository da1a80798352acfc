import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import type { DataSource } from 'typeorm';
import { PAGE_CHARACTERS, TestSite } from '../fixtures/site.fixtures.js';
import { SPACE, TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { LeaseLostError } from './lease.js';
import type { LeasedRun } from './claim-runs.js';

const LIMITS = { runs: 3, characters: 1_000 };

describe('siblings of a page', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  let tenant: TestTenant;
  let site: TestSite;
  beforeAll(async () => {
    dataSource = await server.database();
  });
  afterAll(() => server.close());

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
    expect(idsOf([first, ...siblings])).toEqual(ids.slice(0, 4).toSorted());
    expect(await stateOf(ids[4])).toBe('pending');
    expect([first, ...siblings].every(({ wasWriting }) => !wasWriting)).toBe(true);
    for (const { run, datasource, serving } of siblings) {
      expect([run.state, run.space, datasource.status, serving]).toEqual(['active', SPACE, 'running', null]);
      await tenant.lifecycle.serve(run, { chunks: 1, characters: PAGE_CHARACTERS, bytes: 1, pages: 0 });
      expect((await tenant.view(datasource.id)).datasource.status).toBe('synched');
    }
  });

  it('have no more characters than the limit', async () => {
    await site.pages(4);
    const { run } = await delivered();
    const siblings = await tenant.lifecycle.claimSiblings(run, { runs: 10, characters: 2 * PAGE_CHARACTERS });
    expect(siblings).toHaveLength(2);
  });

  it('do not count as runs in flight', async () => {
    await site.pages(6);
    const stages = [{ stage: 'indexing', queue: 'index' }] as const;
    const capacity = async () => (await tenant.dispatch.backlog(stages, 5)).capacity.get('indexing');
    const { run } = await delivered();
    const before = await capacity();
    expect(await tenant.lifecycle.claimSiblings(run, LIMITS)).toHaveLength(3);
    expect(await capacity()).toBe(before);
    const [next] = await tenant.dispatch.claim('indexing', 1);
    expect(next?.priority).toBe(2);
  });

  it('are of the same site and the same stage', async () => {
    await site.pages(1);
    const { run } = await delivered();
    const { datasource } = await tenant.datasource();
    await tenant.take(datasource.id).then(({ run: text }) => tenant.lifecycle.advance(text, 'indexing', {}));
    await (await TestSite.begin(tenant)).page();
    await site.page('https://site.example/file.pdf', { isParsed: false });
    expect(await tenant.lifecycle.claimSiblings(run, LIMITS)).toEqual([]);
  });

  it('are none of a run that is not of a page of a site', async () => {
    const { datasource } = await tenant.datasource();
    const { run } = await tenant.take(datasource.id);
    await tenant.datasource();
    expect(await tenant.lifecycle.claimSiblings(run, LIMITS)).toEqual([]);
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
      // It waits for another stage.
      expect(await claiming.tenant.lifecycle.claimSiblings(run, { ...LIMITS, runs: 1 })).toHaveLength(1);
      await waiting.lifecycle.advance(parsing.run, 'indexing', {});
      expect(await claiming.tenant.lifecycle.claimSiblings(run, LIMITS)).toEqual([]);
      await tenant.dispatch.claim('indexing', 1);
      expect(await claiming.tenant.lifecycle.claimSiblings(run, LIMITS)).toEqual([]);
      await waiting.lifecycle.cancel(waiting.organizationId, datasource.id);
      expect(await claiming.tenant.lifecycle.claimSiblings(run, LIMITS)).toHaveLength(1);
      await endOthers();
    }
  });

  it('have neither failed nor crashed a worker, nor has the page', async () => {
    const ids = await site.pages(4);
    const { run } = await delivered();
    await dataSource.query('UPDATE runs SET crashes = 1 WHERE datasource_id = $1', [ids[1]]);
    await dataSource.query('UPDATE runs SET failures = 1 WHERE datasource_id = $1', [ids[2]]);
    expect(await tenant.lifecycle.claimSiblings({ ...run, crashes: 1 }, LIMITS)).toEqual([]);
    expect(idsOf(await tenant.lifecycle.claimSiblings(run, LIMITS))).toEqual([ids[3]]);
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
    // Each once.
    expect(all.toSorted()).toEqual([ids[2], ids[3]].toSorted());
  });

  it('have leases of their own, which can expire', async () => {
    await site.pages(2);
    const { run } = await delivered();
    const [sibling] = await tenant.lifecycle.claimSiblings(run, LIMITS, SPACE);
    assert.ok(sibling);
    await dataSource.query(`UPDATE runs SET lease_until = now() - interval '1 second' WHERE id = $1`, [
      sibling.run.id,
    ]);
    expect(await tenant.lifecycle.crashed(sibling.run.id)).toBe('waits');
    const next = await delivered();
    expect(next.run.id).toBe(sibling.run.id);
    expect(sibling.wasWriting).toBe(false);
    // The earlier attempt may have written points.
    expect(next.wasWriting).toBe(true);
    await expect(tenant.lifecycle.heartbeat(sibling.run, null)).rejects.toThrow(LeaseLostError);
    await tenant.lifecycle.heartbeat(next.run, null);
  });
});
