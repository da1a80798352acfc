import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { axis, lexicalQuery, makePoint, makeTenant, scopeOf } from './conformance.fixtures.js';
import type { Suite } from './conformance.fixtures.js';
import type { Point, RunSummary } from '../vector-store.port.js';

/** Tests of counting, reading, scanning and deleting the points of runs. */
export function runsConformance(suite: Suite): void {
  const { space, lexicalSpace, search } = suite;

  describe('a run', () => {
    it('returns the vectors of each chunk by content hash, in order and at unit length', async () => {
      const tenant = makeTenant();
      const run = { datasourceId: randomUUID(), runId: randomUUID() };
      const windows = [axis(3).map((value) => value * 4), axis(2, 0.75), axis(3)];
      await suite.store.upsert(space, [
        makePoint(tenant, 'kept', { ...run, dense: windows }),
        makePoint(tenant, 'lexical', { ...run, dense: [] }),
        makePoint(tenant, 'elsewhere', { dense: [axis(6)] }),
      ]);
      const hashes = ['kept', 'lexical', 'elsewhere', 'unknown'].map(hashOf);
      const scope = { organizationId: tenant.organizationId, runId: run.runId };
      const vectors = await suite.store.fetchVectors(space, scope, hashes);
      expect([...vectors.keys()]).toEqual([hashOf('kept')]);
      const stored = vectors.get(hashOf('kept'));
      expect(stored).toHaveLength(3);
      const expected = [axis(3), axis(2, 0.75).map((value) => value * 0.8), axis(3)];
      stored?.forEach((vector, row) => {
        assert.ok(vector instanceof Float32Array);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 2);
        vector.forEach((value, i) => expect(value).toBeCloseTo(expected[row]?.[i] ?? NaN, 2));
      });
      expect((await suite.store.fetchVectors(space, scope, [])).size).toBe(0);
      const many = Array.from({ length: 700 }, (_, i) => `hash${i}`);
      expect((await suite.store.fetchVectors(space, scope, [...many, hashOf('kept')])).size).toBe(1);
    });

    it('is counted, scanned and deleted by chunks, not by windows', async () => {
      const tenant = makeTenant();
      const run = { datasourceId: randomUUID(), runId: randomUUID() };
      const scope = { organizationId: tenant.organizationId, runId: run.runId };
      const points = [[axis(1), axis(2), axis(3)], [axis(1)], []].map((dense, i) =>
        makePoint(tenant, `cherry ${i}`, { ...run, dense }),
      );
      await suite.store.upsert(space, points);
      await suite.store.upsert(space, points);
      expect(await suite.store.count(space, scope)).toBe(3);
      for await (const summary of suite.store.scanRuns(space))
        if (summary.runId === run.runId) expect(summary.points).toBe(3);
      await suite.store.deleteRun(scope);
      expect(await suite.store.search(space, scopeOf(tenant), { dense: axis(1), limit: 5 })).toEqual([]);
      expect(
        (
          await suite.store.fetchVectors(
            space,
            scope,
            points.map(({ contentHash }) => contentHash),
          )
        ).size,
      ).toBe(0);
    });

    it('is counted and deleted separately from other runs of its datasource, in every space', async () => {
      const tenant = makeTenant();
      const datasourceId = randomUUID();
      const [oldRunId, newRunId] = [randomUUID(), randomUUID()];
      await suite.store.upsert(space, [
        makePoint(tenant, 'fig old', { datasourceId, runId: oldRunId }),
        makePoint(tenant, 'fig old too', { datasourceId, runId: oldRunId }),
        makePoint(tenant, 'fig fresh', { datasourceId, runId: newRunId }),
      ]);
      await suite.store.upsert(lexicalSpace, [
        makePoint(tenant, 'fig old', { datasourceId, runId: oldRunId, dense: [] }),
      ]);
      const scope = { organizationId: tenant.organizationId, runId: oldRunId };
      expect(await suite.store.count(space, scope)).toBe(2);
      await suite.store.deleteRun(scope);
      await suite.store.deleteRun(scope);
      expect(await suite.store.count(space, scope)).toBe(0);
      expect(await suite.store.count(lexicalSpace, scope)).toBe(0);
      expect(await search(tenant, 'fig')).toEqual(['fig fresh']);
    });

    it('appears in the scan with its exact count', async () => {
      const tenant = makeTenant();
      const sizes = [1, 3, 2];
      const points = sizes.map((size) => {
        const run = { datasourceId: randomUUID(), runId: randomUUID() };
        return Array.from({ length: size }, () => makePoint(tenant, 'scan', run));
      });
      await suite.store.upsert(space, points.flat());
      const scanned: RunSummary[] = [];
      for await (const summary of suite.store.scanRuns(space)) scanned.push(summary);
      const ofTenant = scanned.filter(({ datastoreId }) => datastoreId === tenant.datastoreId);
      const expected = points.map(([point], i) => summaryOf(point!, sizes[i]!));
      const byRun = (a: RunSummary, b: RunSummary): number => (a.runId < b.runId ? -1 : 1);
      expect(ofTenant.sort(byRun)).toEqual(expected.sort(byRun));
    });
  });

  describe('deletion', () => {
    it('of a datasource deletes its points; of a web site, the points of its pages', async () => {
      const tenant = makeTenant();
      const site = randomUUID();
      const file = makePoint(tenant, 'mango file');
      const page = makePoint(tenant, 'mango page', { groupId: site });
      await suite.store.upsert(space, [file, page, makePoint(tenant, 'mango rest')]);
      const { organizationId } = tenant;
      await suite.store.deleteDatasource({ organizationId, datasourceId: file.datasourceId });
      expect((await search(tenant, 'mango')).sort()).toEqual(['mango page', 'mango rest']);
      await suite.store.deleteDatasource({ organizationId, datasourceId: site });
      expect(await search(tenant, 'mango')).toEqual(['mango rest']);
    });
  });

  it('searches correctly during concurrent writes and deletions', async () => {
    const tenant = makeTenant();
    await suite.store.upsert(
      space,
      Array.from({ length: 20 }, (_, i) => makePoint(tenant, `steady number${i}`)),
    );
    let writing = true;
    const writer = (async () => {
      for (let round = 0; round < 6; round++) {
        const run = { datasourceId: randomUUID(), runId: randomUUID() };
        const points = Array.from({ length: 150 }, (_, i) => makePoint(tenant, `passing ${i}`, run));
        await suite.store.upsert(space, points);
        await suite.store.deleteRun({ organizationId: tenant.organizationId, runId: run.runId });
      }
    })().finally(() => (writing = false));
    while (writing) {
      const hits = await suite.store.search(space, scopeOf(tenant), lexicalQuery('steady', { limit: 100 }));
      expect(hits).toHaveLength(20);
    }
    await writer;
    expect(await search(tenant, 'passing')).toEqual([]);
  });
}

function hashOf(text: string): string {
  return makePoint(makeTenant(), text).contentHash;
}

function summaryOf({ organizationId, datastoreId, datasourceId, runId }: Point, points: number): RunSummary {
  return { organizationId, datastoreId, datasourceId, runId, points };
}
