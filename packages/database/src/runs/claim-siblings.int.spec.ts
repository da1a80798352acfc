import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import type { DataSource } from 'typeorm';
import { PAGE_CHARACTERS, TestSite } from '../fixtures/site.fixtures.js';
import { CONTENT_BYTES, SPACE, TestTenant, WORKER } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { LeaseLostError } from './lease.js';
import type { LeasedRun } from './claim-runs.js';

const LIMITS = { runs: 3, size: 1_000 };

describe('siblings of a run', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  let tenant: TestTenant;
  let site: TestSite;
  beforeAll(async () => {
    dataSource = await server.database();
  });
  afterAll(() => server.close());

  const endOthers = (): Promise<unknown> =>
    dataSource.query(`UPDATE runs SET state = 'cancelled' WHERE stage IN ('parsing', 'indexing')`);
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

  it('take no slot of the worker, or one when the delivered run has ended', async () => {
    await site.pages(6);
    const { run } = await delivered();
    const inFlight = async (): Promise<number> => {
      const [row] = await dataSource.query<{ count: number }[]>(
        `SELECT count(*)::int FROM runs WHERE stage = 'indexing' AND state = 'active' AND queued_at IS NOT NULL`,
      );
      return row?.count ?? 0;
    };
    expect(await tenant.lifecycle.claimSiblings(run, { ...LIMITS, runs: 2 })).toHaveLength(2);
    expect(await inFlight()).toBe(1);
    expect(await tenant.lifecycle.claimSiblings(run, { ...LIMITS, takeSlot: true })).toHaveLength(3);
    expect(await inFlight()).toBe(2);
  });

  it('have no more characters than the limit', async () => {
    await site.pages(4);
    const { run } = await delivered();
    const siblings = await tenant.lifecycle.claimSiblings(run, {
      ...LIMITS,
      runs: 10,
      size: 2 * PAGE_CHARACTERS,
    });
    expect(siblings).toHaveLength(2);
  });

  it('do not count as runs in flight', async () => {
    await site.pages(6);
    const stages = [{ stage: 'indexing', queue: 'index' }] as const;
    const capacity = async () => (await tenant.dispatch.backlog(stages, 5)).capacity.get('indexing')?.runs;
    const { run } = await delivered();
    const before = await capacity();
    expect(await tenant.lifecycle.claimSiblings(run, LIMITS)).toHaveLength(3);
    expect(await capacity()).toBe(before);
    const [next] = await tenant.dispatch.claim('indexing', 1);
    expect(next?.priority).toBe(2);
  });

  it('leave the other slots to other organizations if they are many and their worker is alive', async () => {
    await site.pages(20);
    const { run } = await delivered();
    await tenant.lifecycle.claimSiblings(run, { runs: 8, size: 1_000_000 });
    const other = await TestTenant.create(dataSource);
    await (await TestSite.begin(other)).pages(1);
    await tenant.dispatch.workerHeartbeat(WORKER, 'index', 2);
    const claim = async (runs: number, workers: number): Promise<string[]> =>
      (await tenant.dispatch.claim('indexing', runs, workers)).map(({ organizationId }) => organizationId);
    expect(await claim(3, 1)).toEqual([other.organizationId]);
    expect(await claim(1, 2)).toEqual([tenant.organizationId]);
    await tenant.dispatch.removeWorker(WORKER);
    expect(await claim(1, 1)).toEqual([tenant.organizationId]);
  });

  it('are of the same organization and the same stage', async () => {
    await site.pages(1);
    const { run } = await delivered();
    const text = await tenant.datasource();
    const parsing = await tenant.take(text.datasource.id);
    await tenant.datasource();
    await site.page('https://site.example/file.pdf', { isParsed: false });
    expect(await tenant.lifecycle.claimSiblings(run, LIMITS)).toEqual([]);
    await tenant.lifecycle.advance(parsing.run, 'indexing', {});
    expect(idsOf(await tenant.lifecycle.claimSiblings(run, LIMITS))).toEqual([text.datasource.id]);
  });

  it('have content of the given types, as has the run, and no more bytes than the limit', async () => {
    const first = await tenant.datasource();
    const { run } = await tenant.take(first.datasource.id);
    await tenant.datasource({ mimeType: 'application/pdf' });
    const texts = [await tenant.datasource(), await tenant.datasource(), await tenant.datasource()];
    const limits = { ...LIMITS, size: 2 * CONTENT_BYTES, contentTypes: ['text/plain'] };
    const pdf = { ...run, contentType: 'application/pdf' };
    expect(await tenant.lifecycle.claimSiblings(pdf, limits)).toEqual([]);
    const siblings = await tenant.lifecycle.claimSiblings(run, limits);
    expect(idsOf(siblings)).toEqual(
      texts
        .slice(0, 2)
        .map(({ datasource }) => datasource.id)
        .toSorted(),
    );
  });

  it('are none while another organization waits for a worker', async () => {
    const other = await TestTenant.create(dataSource);
    for (const [claiming, waiting] of [
      [site, other],
      [await TestSite.begin(other), tenant],
    ] as const) {
      await claiming.pages(6);
      const { run } = await delivered();
      const { datasource } = await waiting.datasource();
      const parsing = await waiting.take(datasource.id);
      // It waits for another stage.
      expect(await claiming.tenant.lifecycle.claimSiblings(run, { ...LIMITS, runs: 2 })).toHaveLength(2);
      await waiting.lifecycle.advance(parsing.run, 'indexing', {});
      expect(await claiming.tenant.lifecycle.claimSiblings(run, LIMITS)).toEqual([]);
      await tenant.dispatch.claim('indexing', 1);
      expect(await claiming.tenant.lifecycle.claimSiblings(run, LIMITS)).toEqual([]);
      await waiting.lifecycle.cancel(waiting.organizationId, datasource.id);
      expect(await claiming.tenant.lifecycle.claimSiblings(run, { ...LIMITS, runs: 2 })).toHaveLength(2);
      await endOthers();
    }
  });

  it('have neither failed nor crashed a worker, nor has the run', async () => {
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
