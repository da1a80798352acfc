import { TenantScope } from '@citewell/database';
import { createLogger } from '@citewell/observability';
import { SpaceNotFoundError, VectorStoreUnavailableError } from '@citewell/vector-store';
import { describe, expect, it } from '@jest/globals';
import { IndexRecovery } from './index-recovery.service.js';

const SPACE = { name: 'l1', dense: null };
const tenant = new TenantScope('o');

/** A store with the points of some runs, and a database in which each run serves with one point. */
class Installation {
  losses = 1;
  lastDamage: { problem: string; file: string } | null = null;
  scans = 0;
  readonly stored = new Set<string>();
  readonly rebuilding = new Set<string>();

  constructor(readonly serving: readonly string[]) {
    for (const runId of serving) this.stored.add(runId);
  }

  /** A serving run is in a space that the store lacks. */
  servesFromMissing = false;

  get recovery(): IndexRecovery {
    const facts = (runId: string) => ({
      runId,
      organizationId: 'o',
      datasourceId: `d-${runId}`,
      role: 'serves' as const,
      space: SPACE.name,
      chunks: 1,
    });
    const pointsOf = (runId: string): number => (this.stored.has(runId) ? 1 : 0);
    const stored = this.stored;
    const store = {
      ping: async () => undefined,
      check: async () => undefined,
      listSpaces: async () => [SPACE],
      count: async (_: unknown, { runId }: { runId: string }) => pointsOf(runId),
      scanRuns: async function* () {
        for (const runId of stored) yield { runId, organizationId: 'o', points: 1 };
      },
    };
    const counted = {
      ...store,
      listSpaces: async () => {
        this.scans += 1;
        return [SPACE];
      },
    };
    const live = Object.defineProperties(counted, {
      losses: { get: () => this.losses },
      lastDamage: { get: () => this.lastDamage },
    });
    const doctor = {
      runs: async (ids: readonly string[]) => new Map(ids.map((id) => [id, facts(id)])),
      servingRuns: async () => this.serving.map(facts),
    };
    const rebuilds = {
      start: async (lost: readonly { runId: string }[]) =>
        lost.forEach(({ runId }) => this.rebuilding.add(runId)),
      isServedFrom: async () => this.servesFromMissing,
      count: async () => this.rebuilding.size,
      isRebuilding: async (_: unknown, [datastoreId]: readonly string[]) =>
        [...this.rebuilding].some((runId) => runId.startsWith(datastoreId ?? '')),
    };
    // The fakes have the methods that the service calls.
    return new IndexRecovery(
      live as never,
      doctor as never,
      rebuilds as never,
      createLogger('test', 'silent'),
    );
  }
}

const SEARCH = { tenant, datastoreIds: ['a'], space: SPACE.name };

describe('IndexRecovery', () => {
  it('rebuilds nothing of an intact store', async () => {
    const installation = new Installation(['a-1', 'b-1']);
    const { recovery } = installation;
    await recovery.onApplicationBootstrap();
    expect([recovery.warning, [...installation.rebuilding]]).toEqual([null, []]);
    await recovery.assertSearchable(tenant, ['a']);
  });

  it('rebuilds runs whose points are missing at the start, and refuses searches of their datastores', async () => {
    const installation = new Installation(['a-1', 'a-2', 'b-1']);
    installation.stored.delete('a-2');
    const { recovery } = installation;
    await recovery.onApplicationBootstrap();
    expect([...installation.rebuilding]).toEqual(['a-2']);
    expect(recovery.warning).toBe('is being rebuilt, 1 documents left');
    await expect(recovery.assertSearchable(tenant, ['a'])).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: expect.stringMatching(/is being rebuilt/),
    });
    await recovery.assertSearchable(tenant, ['b']);
    installation.rebuilding.clear();
    await recovery.run();
    expect(recovery.warning).toBeNull();
    await recovery.assertSearchable(tenant, ['a']);
  });

  it('refuses every search from the moment of a loss, until the points are counted', async () => {
    const installation = new Installation(['a-1', 'b-1']);
    const { recovery } = installation;
    await recovery.onApplicationBootstrap();
    installation.stored.clear();
    installation.losses += 1;
    installation.lastDamage = { problem: 'malformed', file: 'vectors.damaged.sqlite' };
    expect(recovery.warning).toBe('is being rebuilt. The damaged file is vectors.damaged.sqlite');
    for (const datastoreId of ['a', 'b', 'c'])
      await expect(recovery.assertSearchable(tenant, [datastoreId])).rejects.toThrow(/is being rebuilt/);
    await recovery.run();
    expect([...installation.rebuilding]).toEqual(['a-1', 'b-1']);
    await recovery.assertSearchable(tenant, ['c']);
  });

  it('turns damage that a search meets into a 503', async () => {
    const { recovery } = new Installation(['a-1']);
    await recovery.onApplicationBootstrap();
    const damaged = new VectorStoreUnavailableError('malformed', { reason: 'is damaged' });
    await expect(recovery.recoverFrom(damaged, SEARCH)).rejects.toMatchObject({ status: 503 });
    for (const other of [new VectorStoreUnavailableError('down'), new TypeError('x')])
      await expect(recovery.recoverFrom(other, SEARCH)).rejects.toBe(other);
  });

  it('counts the points once for many searches of a missing space', async () => {
    const installation = new Installation(['a-1']);
    // A server whose collection was deleted.
    installation.losses = 0;
    installation.stored.clear();
    const { recovery } = installation;
    const missing = new SpaceNotFoundError('l1');
    for (let search = 0; search < 5; search += 1)
      await expect(recovery.recoverFrom(missing, SEARCH)).rejects.toMatchObject({ status: 503 });
    expect([...installation.rebuilding]).toEqual(['a-1']);
    const { scans } = installation;
    installation.rebuilding.clear();
    // No serving run is in the space any more.
    await recovery.recoverFrom(missing, SEARCH);
    // The space was lost again, and the points are not counted so soon.
    installation.servesFromMissing = true;
    await expect(recovery.recoverFrom(missing, SEARCH)).rejects.toMatchObject({ status: 503 });
    expect(installation.scans).toBe(scans);
  });
});
