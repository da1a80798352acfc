import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  axis,
  DIMENSIONS,
  lexicalQuery,
  makePoint,
  makeSpace,
  makeTenant,
  scopeOf,
  textsOf,
} from './conformance.fixtures.js';
import type { Suite } from './conformance.fixtures.js';
import { VectorStoreError } from '../vector-store.errors.js';
import type { Point } from '../vector-store.port.js';

/** Tests of spaces, of writing points, and of argument validation. */
export function pointsConformance(suite: Suite): void {
  const { space, lexicalSpace, search } = suite;

  describe('spaces', () => {
    it('are listed with their dimensions and can be ensured twice', async () => {
      await suite.store.ensureSpace(space);
      const listed = await suite.store.listSpaces();
      expect(listed.find(({ name: listedName }) => listedName === space.name)).toEqual(space);
      expect(listed.find(({ name: listedName }) => listedName === lexicalSpace.name)).toEqual(lexicalSpace);
    });

    it('can be ensured concurrently', async () => {
      const fresh = makeSpace();
      await Promise.all([suite.store.ensureSpace(fresh), suite.store.ensureSpace(fresh)]);
      const listed = await suite.store.listSpaces();
      expect(listed.filter(({ name: listedName }) => listedName === fresh.name)).toHaveLength(1);
    });

    it('cannot change their dimensions', async () => {
      await expect(suite.store.ensureSpace({ ...space, dense: { dimensions: 3 } })).rejects.toThrow(
        VectorStoreError,
      );
      await expect(suite.store.ensureSpace({ ...space, dense: null })).rejects.toThrow(VectorStoreError);
      await expect(suite.store.ensureSpace({ ...lexicalSpace, dense: { dimensions: 3 } })).rejects.toThrow(
        VectorStoreError,
      );
    });

    it('must exist before they are used', async () => {
      const unknown = makeSpace();
      const tenant = makeTenant();
      const run = { organizationId: tenant.organizationId, runId: randomUUID() };
      await expect(suite.store.upsert(unknown, [makePoint(tenant, 'x')])).rejects.toThrow(VectorStoreError);
      await expect(suite.store.search(unknown, scopeOf(tenant), lexicalQuery('x'))).rejects.toThrow(
        VectorStoreError,
      );
      await expect(suite.store.count(unknown, run)).rejects.toThrow(VectorStoreError);
    });
  });

  describe('points', () => {
    it('are returned as they were written', async () => {
      const tenant = makeTenant();
      const point = makePoint(tenant, 'Ünïcode \u{1F600} 漢字\nsecond line', {
        groupId: randomUUID(),
        ordinal: 7,
        header: 'Title › Heading',
        page: 3,
        confidence: 91,
        headingPath: ['Title', 'Heading'],
        anchor: 'heading',
        start: 120,
        end: 145,
      });
      await suite.store.upsert(space, [point]);
      const [hit] = await suite.store.search(space, scopeOf(tenant), lexicalQuery('second'));
      assert.ok(hit);
      const { score, scoring, legs, terms: _, ...payload } = hit;
      const { lexical, dense, ...written } = point;
      expect(payload).toEqual(written);
      expect(scoring).toBe('lexical');
      expect(score).toBeGreaterThan(0);
      expect(legs.lexical).toBe(score);
      expect(lexical.indices.length).toBeGreaterThan(0);
      expect(dense).toHaveLength(1);
    });

    it('are stored once if they are written twice', async () => {
      const sameRun = { runId: randomUUID(), datasourceId: randomUUID() };
      const tenant = makeTenant();
      const points = ['one apple', 'two apples', 'apple three'].map((text) =>
        makePoint(tenant, text, sameRun),
      );
      await suite.store.upsert(space, points);
      await suite.store.upsert(space, points);
      expect(await suite.store.count(space, { ...sameRun, organizationId: tenant.organizationId })).toBe(3);
      expect(await search(tenant, 'apple')).toHaveLength(2);
    });

    it('are replaced if their id is written with other content', async () => {
      const tenant = makeTenant();
      const point = makePoint(tenant, 'before');
      await suite.store.upsert(space, [point]);
      await suite.store.upsert(space, [{ ...makePoint(tenant, 'after'), id: point.id }]);
      expect(await search(tenant, 'before')).toEqual([]);
      expect(await search(tenant, 'after')).toEqual(['after']);
    });

    it('can be written in a large batch', async () => {
      const tenant = makeTenant();
      const run = { datasourceId: randomUUID(), runId: randomUUID() };
      const points = Array.from({ length: 1000 }, (_, ordinal) =>
        makePoint(tenant, `common word${ordinal}`, { ...run, ordinal, dense: [axis(ordinal, 0.5)] }),
      );
      await suite.store.upsert(space, points);
      const scope = { organizationId: tenant.organizationId, runId: run.runId };
      expect(await suite.store.count(space, scope)).toBe(1000);
      expect(await search(tenant, 'word777')).toEqual(['common word777']);
      await suite.store.deleteRun(scope);
      expect(await suite.store.count(space, scope)).toBe(0);
      expect(await search(tenant, 'common')).toEqual([]);
    });

    it('can be an empty list, and can lack terms or dense vectors', async () => {
      const tenant = makeTenant();
      await suite.store.upsert(space, []);
      const withoutTerms = makePoint(tenant, '', { lexical: { indices: [], values: [] }, dense: [axis(2)] });
      const withoutDense = makePoint(tenant, 'lexical', { dense: [] });
      await suite.store.upsert(space, [withoutTerms, withoutDense]);
      expect(await search(tenant, 'lexical')).toEqual(['lexical']);
      const hits = await suite.store.search(space, scopeOf(tenant), { dense: axis(2), limit: 10 });
      expect(textsOf(hits)).toEqual(['']);
    });

    it('accept term hashes of the whole uint32 range', async () => {
      const tenant = makeTenant();
      const lexical = { indices: [0, 1, 0x7fffffff, 0x80000000, 0xffffffff], values: [1, 1, 1, 1, 1] };
      await suite.store.upsert(space, [makePoint(tenant, 'edges', { lexical })]);
      for (const index of lexical.indices) {
        const query = { lexical: { indices: [index], values: [1] }, limit: 5 };
        expect([`term ${index}`, (await suite.store.search(space, scopeOf(tenant), query)).length]).toEqual([
          `term ${index}`,
          1,
        ]);
      }
    });
  });

  describe('validation', () => {
    const invalidIds = ["x' OR 1=1", '*', '', '00000000-0000-0000-0000-00000000000G', 'datasource-1'];
    it('rejects ids that are not UUIDs in every method', async () => {
      const tenant = makeTenant();
      const organizationId = randomUUID();
      for (const id of invalidIds) {
        const calls = [
          suite.store.search(space, { organizationId: id, datastoreIds: [randomUUID()] }, lexicalQuery('x')),
          suite.store.search(space, { organizationId, datastoreIds: [id] }, lexicalQuery('x')),
          suite.store.search(space, scopeOf(tenant), lexicalQuery('x', { datasourceIds: [id] })),
          suite.store.count(space, { organizationId, runId: id }),
          suite.store.fetchVectors(space, { organizationId: id, runId: randomUUID() }, ['x']),
          suite.store.deleteRun({ organizationId, runId: id }),
          suite.store.deleteDatasource({ organizationId, datasourceId: id }),
          suite.store.upsert(space, [makePoint(tenant, 'x', { id })]),
          suite.store.upsert(space, [makePoint(tenant, 'x', { groupId: id })]),
        ];
        for (const call of calls) await expect(call).rejects.toThrow(VectorStoreError);
      }
    });

    it('rejects other malformed arguments before anything is written', async () => {
      const tenant = makeTenant();
      const valid = makePoint(tenant, 'good');
      const malformed: Partial<Point>[] = [
        { dense: [axis(0), new Float32Array(DIMENSIONS + 1)] },
        { dense: [axis(0), new Float32Array(DIMENSIONS).fill(NaN)] },
        { lexical: { indices: [2, 1], values: [1, 1] } },
        { lexical: { indices: [1, 1], values: [1, 1] } },
        { lexical: { indices: [-1], values: [1] } },
        { lexical: { indices: [1], values: [] } },
        { lexical: { indices: [1], values: [Infinity] } },
      ];
      for (const overrides of malformed) {
        await expect(suite.store.upsert(space, [valid, makePoint(tenant, 'bad', overrides)])).rejects.toThrow(
          VectorStoreError,
        );
      }
      expect(await search(tenant, 'good')).toEqual([]);
      const noDatastore = { organizationId: tenant.organizationId, datastoreIds: [] };
      await expect(suite.store.search(space, noDatastore, lexicalQuery('x'))).rejects.toThrow(
        VectorStoreError,
      );
      for (const limit of [0, -1, 1.5, 1001, NaN]) {
        const query = lexicalQuery('x', { limit });
        await expect(suite.store.search(space, scopeOf(tenant), query)).rejects.toThrow(VectorStoreError);
      }
      for (const denseWeight of [-0.1, 1.1, NaN]) {
        const query = lexicalQuery('x', { denseWeight });
        await expect(suite.store.search(space, scopeOf(tenant), query)).rejects.toThrow(VectorStoreError);
      }
      await expect(suite.store.ensureSpace({ name: 'Bad-Name', dense: null })).rejects.toThrow(
        VectorStoreError,
      );
    });
  });
}
