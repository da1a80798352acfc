import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  axis,
  DIMENSIONS,
  lexicalQuery,
  makePoint,
  makeSibling,
  makeTenant,
  scopeOf,
  terms,
  textsOf,
} from './conformance.fixtures.js';
import type { Suite } from './conformance.fixtures.js';
import { VectorStoreError } from '../vector-store.errors.js';
import type { Hit, Point, SparseVector } from '../vector-store.port.js';

/** Tests of tenant isolation, of each leg, of fusion and of filters. */
export function searchConformance(suite: Suite): void {
  const { space, lexicalSpace, search } = suite;

  describe('tenants', () => {
    it('cannot read or delete points of another tenant, even with its ids', async () => {
      const [tenant, otherTenant] = [makeTenant(), makeTenant()];
      const [point, otherPoint] = [
        makePoint(tenant, 'shared secret one'),
        makePoint(otherTenant, 'shared secret two'),
      ];
      await suite.store.upsert(space, [point, otherPoint]);
      expect(await search(tenant, 'secret')).toEqual(['shared secret one']);
      const guessed = { organizationId: tenant.organizationId, datastoreId: otherTenant.datastoreId };
      expect(await search(guessed, 'secret')).toEqual([]);
      const both = {
        organizationId: tenant.organizationId,
        datastoreIds: [tenant.datastoreId, otherTenant.datastoreId],
      };
      expect(textsOf(await suite.store.search(space, both, lexicalQuery('secret')))).toEqual([
        'shared secret one',
      ]);
      const byDatasource = lexicalQuery('secret', { datasourceIds: [otherPoint.datasourceId] });
      expect(await suite.store.search(space, scopeOf(tenant), byDatasource)).toEqual([]);

      const guessedRun = { organizationId: tenant.organizationId, runId: otherPoint.runId };
      expect(await suite.store.count(space, guessedRun)).toBe(0);
      expect((await suite.store.fetchVectors(space, guessedRun, [otherPoint.contentHash])).size).toBe(0);
      await suite.store.deleteRun(guessedRun);
      await suite.store.deleteDatasource({
        organizationId: tenant.organizationId,
        datasourceId: otherPoint.datasourceId,
      });
      expect(await search(otherTenant, 'secret')).toEqual(['shared secret two']);
    });

    it('can search one datastore or several', async () => {
      const first = makeTenant();
      const second = makeSibling(first);
      await suite.store.upsert(space, [makePoint(first, 'pear one'), makePoint(second, 'pear two words')]);
      expect(await search(first, 'pear')).toEqual(['pear one']);
      const hits = await suite.store.search(space, scopeOf(first, second), lexicalQuery('pear'));
      expect(textsOf(hits).sort()).toEqual(['pear one', 'pear two words']);
    });

    (suite.hasScopedIdf ? it : it.skip)('get rankings that do not depend on other datastores', async () => {
      const tenant = makeTenant();
      // "rare" is a rare term here and a frequent one in the other datastores.
      const texts = ['rare alpha', 'usual beta', 'usual gamma', 'usual delta', 'usual epsilon'];
      await suite.store.upsert(
        space,
        texts.map((text) => makePoint(tenant, text)),
      );
      const ranking = async (): Promise<string | undefined> => (await search(tenant, 'rare usual'))[0];
      expect(await ranking()).toBe('rare alpha');
      const otherTenant = makeTenant();
      await suite.store.upsert(
        space,
        Array.from({ length: 60 }, (_, i) => makePoint(otherTenant, `rare number${i}`)),
      );
      const sibling = makeSibling(tenant);
      await suite.store.upsert(
        space,
        Array.from({ length: 60 }, (_, i) => makePoint(sibling, `rare number${i}`)),
      );
      expect(await ranking()).toBe('rare alpha');
      return undefined;
    });
  });

  describe('a lexical search', () => {
    it('ranks by rarity of terms and by number of matching terms', async () => {
      const tenant = makeTenant();
      const texts = ['red apple', 'red pear', 'red plum', 'green apple tart'];
      await suite.store.upsert(
        space,
        texts.map((text) => makePoint(tenant, text)),
      );
      const found = await search(tenant, 'red tart apple');
      expect(found[0]).toBe('green apple tart');
      expect(found[1]).toBe('red apple');
      expect(found).toHaveLength(4);
    });

    it('returns scores in descending order, within the limit', async () => {
      const tenant = makeTenant();
      const texts = Array.from({ length: 30 }, (_, i) => `${'kiwi '.repeat(1 + (i % 7))}filler${i}`);
      await suite.store.upsert(
        space,
        texts.map((text) => makePoint(tenant, text)),
      );
      const hits = await suite.store.search(space, scopeOf(tenant), lexicalQuery('kiwi', { limit: 12 }));
      expect(hits).toHaveLength(12);
      assertDescending(hits);
    });

    it('finds nothing without terms or with unknown terms', async () => {
      const tenant = makeTenant();
      await suite.store.upsert(space, [makePoint(tenant, 'something')]);
      expect(await search(tenant, '')).toEqual([]);
      expect(await search(tenant, 'unheard')).toEqual([]);
      expect(await suite.store.search(space, scopeOf(tenant), { limit: 5 })).toEqual([]);
      expect(await search(makeTenant(), 'something')).toEqual([]);
    });

    it('works in a space without dense vectors', async () => {
      const tenant = makeTenant();
      await suite.store.upsert(lexicalSpace, [makePoint(tenant, 'plain words', { dense: [] })]);
      const hits = await suite.store.search(lexicalSpace, scopeOf(tenant), lexicalQuery('words'));
      expect(textsOf(hits)).toEqual(['plain words']);
      const dense = { dense: axis(0), limit: 3 };
      await expect(suite.store.search(lexicalSpace, scopeOf(tenant), dense)).rejects.toThrow(
        VectorStoreError,
      );
      await expect(suite.store.upsert(lexicalSpace, [makePoint(tenant, 'x')])).rejects.toThrow(
        VectorStoreError,
      );
    });
  });

  describe('a dense search', () => {
    it('ranks by cosine, independent of the length of the vectors', async () => {
      const tenant = makeTenant();
      const scaled = (vector: Float32Array, by: number): Float32Array => vector.map((value) => value * by);
      await suite.store.upsert(space, [
        makePoint(tenant, 'near', { dense: [scaled(axis(4, 0.1), 0.01)] }),
        makePoint(tenant, 'nearer', { dense: [scaled(axis(4), 0.5)] }),
        makePoint(tenant, 'far', { dense: [scaled(axis(6), 50)] }),
      ]);
      const hits = await suite.store.search(space, scopeOf(tenant), { dense: scaled(axis(4), 7), limit: 10 });
      expect(textsOf(hits)).toEqual(['nearer', 'near', 'far']);
      expect(hits[0]?.scoring).toBe('dense');
      expect(Math.abs((hits[0]?.score ?? 0) - 1)).toBeLessThan(1e-3);
      assertDescending(hits);
    });
  });

  describe('a search over windows', () => {
    it('ranks a point by its best window, and returns it once', async () => {
      const tenant = makeTenant();
      await suite.store.upsert(space, [
        makePoint(tenant, 'near on average', { dense: [axis(4, 0.75), axis(4, 0.75)] }),
        makePoint(tenant, 'one near window', { dense: [axis(1), axis(6), axis(4, 0.1)] }),
        makePoint(tenant, 'no window', { dense: [] }),
        // Qdrant reads two windows of whole numbers as a sparse vector.
        makePoint(tenant, 'far windows', { dense: [axis(0, 0.1), axis(6)] }),
      ]);
      const query = { dense: axis(4), limit: 10 };
      const hits = await suite.store.search(space, scopeOf(tenant), query);
      expect(textsOf(hits)).toEqual(['one near window', 'near on average', 'far windows']);
      [0.995, 0.8, 0].forEach((cosine, i) => expect(hits[i]?.legs.dense).toBeCloseTo(cosine, 2));
      const fused = await suite.store.search(space, scopeOf(tenant), { ...query, lexical: terms('no') });
      const [scores, points] = [fused.map(({ score }) => score), textsOf(fused)];
      expect(points).toEqual(['no window', 'one near window', 'near on average', 'far windows']);
      [0.5, 0.5, 0.5 * 0.804, 0].forEach((score, i) => expect(scores[i]).toBeCloseTo(score, 2));
    });

    it('returns as many points as the limit, however many windows are near', async () => {
      const tenant = makeTenant();
      const windows = Array.from({ length: 40 }, (_, i) => axis(3, i / 1000));
      const points = Array.from({ length: 120 }, (_, i) =>
        makePoint(tenant, `point ${i}`, { dense: windows }),
      );
      await suite.store.upsert(space, points);
      const hits = await suite.store.search(space, scopeOf(tenant), { dense: axis(3), limit: 110 });
      expect(new Set(textsOf(hits)).size).toBe(110);
    });
  });

  describe('a fused search', () => {
    it('adds the scaled scores of the legs by weight, and returns those of each leg', async () => {
      const tenant = makeTenant();
      await suite.store.upsert(space, [
        makePoint(tenant, 'zebra words only', { dense: [axis(7)] }),
        makePoint(tenant, 'zebra zebra and meaning', { dense: [axis(1, 0.75)] }),
        makePoint(tenant, 'meaning only', { dense: [axis(1)] }),
        makePoint(tenant, 'neither', { dense: [axis(1).map((value) => -value)] }),
      ]);
      const query = { lexical: terms('zebra'), dense: axis(1), limit: 3 };
      const search = async (denseWeight: number): Promise<Hit[]> =>
        suite.store.search(space, scopeOf(tenant), { ...query, denseWeight });
      // The cosines are 0, 0.8, 1 and −1: scaled 0.5, 0.9, 1 and 0.
      const hits = await search(0.6);
      expect(textsOf(hits)).toEqual(['zebra zebra and meaning', 'meaning only', 'zebra words only']);
      expect(hits.map(({ scoring }) => scoring)).toEqual(['fused', 'fused', 'fused']);
      [0.8, 1, 0].forEach((cosine, i) => expect(hits[i]?.legs.dense).toBeCloseTo(cosine, 2));
      const words = await suite.store.search(space, scopeOf(tenant), lexicalQuery('zebra'));
      expect(hits[0]?.legs.lexical).toBe(words[0]?.score);
      expect([hits[1]?.legs.lexical, hits[2]?.legs.lexical]).toEqual([undefined, words[1]?.score]);
      const share = (words[1]?.score ?? 0) / (words[0]?.score ?? 0);
      [0.4 + 0.6 * 0.9, 0.6, 0.4 * share + 0.6 * 0.5]
        .toSorted((a, b) => b - a)
        .forEach((score, i) => expect(hits[i]?.score).toBeCloseTo(score, 2));
      expect((await search(1))[0]?.text).toBe('meaning only');
      expect((await search(0))[0]?.score).toBe(1);
    });

    it('uses at least 100 candidates per leg, even for a small limit', async () => {
      const tenant = makeTenant();
      const withTerm = (text: string, weight: number, dense: Float32Array): Point =>
        makePoint(tenant, text, { lexical: { ...terms('okapi'), values: [weight] }, dense: [dense] });
      // Each leg has 80 better candidates, which the other leg lacks or ranks last.
      const points = Array.from({ length: 80 }, (_, i) => [
        withTerm(`words ${i}`, 1, axis(5)),
        makePoint(tenant, `meaning ${i}`, { dense: [axis(2)] }),
      ]).flat();
      points.push(withTerm('both', 0.8, axis(2, 0.75)), withTerm('last', 0.1, axis(5)));
      await suite.store.upsert(space, points);
      const query = { lexical: terms('okapi'), dense: axis(2), limit: 1 };
      const hits = await suite.store.search(space, scopeOf(tenant), query);
      expect(textsOf(hits)).toEqual(['both']);
    });

    it('with one empty leg is a search by the other', async () => {
      const tenant = makeTenant();
      await suite.store.upsert(space, [makePoint(tenant, 'lone')]);
      const scoringOf = async (lexical: SparseVector, dense: Float32Array): Promise<unknown[]> => {
        const hits = await suite.store.search(space, scopeOf(tenant), { lexical, dense, limit: 3 });
        return hits.map(({ scoring }) => scoring);
      };
      const zero = new Float32Array(DIMENSIONS);
      expect(await scoringOf(terms(''), axis(0))).toEqual(['dense']);
      expect(await scoringOf(terms('lone'), zero)).toEqual(['lexical']);
      expect(await scoringOf(terms(''), zero)).toEqual([]);
    });
  });

  describe('the terms of a hit', () => {
    it('are those asked for that the point has, by whichever leg it was found', async () => {
      const tenant = makeTenant();
      await suite.store.upsert(space, [
        makePoint(tenant, 'heron pond', { dense: [axis(5)] }),
        makePoint(tenant, '', { dense: [axis(5, 0.2)] }),
      ]);
      const asked = terms('heron pond river').indices;
      const legs = [
        { lexical: terms('heron') },
        { dense: axis(5) },
        { lexical: terms('heron'), dense: axis(5) },
      ];
      for (const leg of legs) {
        const query = { ...leg, limit: 2, terms: asked };
        const [first, second] = await suite.store.search(space, scopeOf(tenant), query);
        expect(first?.terms.toSorted()).toEqual(terms('heron pond').indices.toSorted());
        expect(second?.terms ?? []).toEqual([]);
        const [unasked] = await suite.store.search(space, scopeOf(tenant), { ...leg, limit: 1 });
        expect(unasked?.terms).toEqual([]);
      }
    });
  });

  describe('a filter', () => {
    it('matches datasources and groups in lexical, dense and fused searches', async () => {
      const tenant = makeTenant();
      const site = randomUUID();
      const page = makePoint(tenant, 'lemon page', { groupId: site });
      const otherPage = makePoint(tenant, 'lemon other page', { groupId: site });
      const file = makePoint(tenant, 'lemon file');
      await suite.store.upsert(space, [page, otherPage, file]);
      const found = async (datasourceIds: string[]): Promise<string[][]> => {
        const legs = [
          { lexical: terms('lemon') },
          { dense: axis(0) },
          { lexical: terms('lemon'), dense: axis(0) },
        ];
        const results = legs.map((leg) =>
          suite.store.search(space, scopeOf(tenant), { ...leg, limit: 10, datasourceIds }),
        );
        return (await Promise.all(results)).map((hits) => textsOf(hits).sort());
      };
      const each = (texts: string[]): string[][] => [texts, texts, texts];
      expect(await found([site])).toEqual(each(['lemon other page', 'lemon page']));
      expect(await found([page.datasourceId])).toEqual(each(['lemon page']));
      expect(await found([site, file.datasourceId])).toEqual(
        each(['lemon file', 'lemon other page', 'lemon page']),
      );
      expect(await found([randomUUID()])).toEqual(each([]));
      expect(await found([randomUUID(), file.datasourceId])).toEqual(each(['lemon file']));
      expect(await found([])).toEqual(each(['lemon file', 'lemon other page', 'lemon page']));
    });
  });
}

function assertDescending(hits: readonly Hit[]): void {
  const scores = hits.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
}
