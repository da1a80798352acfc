import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  axis,
  lexicalQuery,
  makePoint,
  makeSpace,
  makeTenant,
  scopeOf,
  textsOf,
} from './conformance/conformance.fixtures.js';
import type { Suite } from './conformance/conformance.fixtures.js';
import { pointsConformance } from './conformance/points.conformance.js';
import { runsConformance } from './conformance/runs.conformance.js';
import { searchConformance } from './conformance/search.conformance.js';
import type { VectorStore } from './vector-store.port.js';

/** A store to test. */
export interface StoreUnderTest {
  readonly store: VectorStore;
  /** Closes the store and opens the same data again. Set if and only if {@link EngineTraits.canReopen}. */
  readonly reopen?: () => Promise<VectorStore>;
  /** Closes the store and removes its data. */
  dispose(): Promise<void>;
}

/** What an engine can do. Tests of what it cannot do are skipped. */
export interface EngineTraits {
  /** Whether the data lives in this process. */
  readonly canReopen: boolean;
  /** Whether idf is computed per datastore. Qdrant before 1.19 counts document frequencies over the whole shard. */
  readonly hasScopedIdf: boolean;
}

/**
 * Conformance suite of the `VectorStore` port. It compares rankings, fused scores and effects; raw lexical
 * scores may differ between engines. Spaces have unique names and are dropped at the end, so several suites can share a server.
 */
export function vectorStoreConformance(
  name: string,
  traits: EngineTraits,
  makeStore: () => Promise<StoreUnderTest>,
): void {
  describe(`vector store: ${name}`, () => {
    let underTest: StoreUnderTest;
    let store: VectorStore;
    const space = makeSpace();
    const lexicalSpace = makeSpace(null);
    const suite: Suite = {
      get store() {
        return store;
      },
      hasScopedIdf: traits.hasScopedIdf,
      space,
      lexicalSpace,
      search: async (tenant, words) =>
        textsOf(await store.search(space, scopeOf(tenant), lexicalQuery(words))),
    };

    beforeAll(async () => {
      underTest = await makeStore();
      store = underTest.store;
      await store.ensureSpace(space);
      await store.ensureSpace(lexicalSpace);
    });
    afterAll(async () => {
      await underTest.dispose();
    });

    pointsConformance(suite);
    searchConformance(suite);
    runsConformance(suite);

    it('answers a ping', async () => {
      await store.ping();
    });

    (traits.canReopen ? it : it.skip)('keeps writes and deletions after reopening', async () => {
      assert.ok(underTest.reopen);
      const tenant = makeTenant();
      const kept = makePoint(tenant, 'lasting words', { dense: [axis(3)] });
      const deleted = makePoint(tenant, 'lasting not');
      await store.upsert(space, [kept, deleted]);
      await store.deleteRun({ organizationId: tenant.organizationId, runId: deleted.runId });
      store = await underTest.reopen();
      expect(await suite.search(tenant, 'lasting')).toEqual(['lasting words']);
      const hits = await store.search(space, scopeOf(tenant), { dense: axis(3), limit: 1 });
      expect(textsOf(hits)).toEqual(['lasting words']);
      return undefined;
    });
  });
}
