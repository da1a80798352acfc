import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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
  /** Closes the store and opens the same data again. Absent if the data does not live in this process. */
  readonly reopen?: () => Promise<VectorStore>;
  /** Why idf is not computed per datastore: skips the test of it. Absent if it is. */
  readonly sharedStatistics?: string;
  /** Closes the store and removes its data. */
  dispose(): Promise<void>;
}

/**
 * Conformance suite of the `VectorStore` port. It compares rankings and effects; raw scores differ between
 * engines. Spaces have unique names and are dropped at the end, so several suites can share a server.
 */
export function vectorStoreConformance(name: string, makeStore: () => Promise<StoreUnderTest>): void {
  describe(`vector store: ${name}`, { timeout: 120_000 }, () => {
    let underTest: StoreUnderTest;
    let store: VectorStore;
    const space = makeSpace();
    const lexicalSpace = makeSpace(null);
    const suite: Suite = {
      get store() {
        return store;
      },
      get sharedStatistics() {
        return underTest.sharedStatistics;
      },
      space,
      lexicalSpace,
      search: async (tenant, words) =>
        textsOf(await store.search(space, scopeOf(tenant), lexicalQuery(words))),
    };

    before(async () => {
      underTest = await makeStore();
      store = underTest.store;
      await store.ensureSpace(space);
      await store.ensureSpace(lexicalSpace);
    });
    after(async () => {
      await store.dropSpace(space.name);
      await store.dropSpace(lexicalSpace.name);
      await underTest.dispose();
    });

    pointsConformance(suite);
    searchConformance(suite);
    runsConformance(suite);

    it('answers a ping', async () => {
      await store.ping();
    });

    it('keeps writes and deletions after reopening', async (t) => {
      if (underTest.reopen === undefined) return t.skip('the data is stored by a server');
      const tenant = makeTenant();
      const kept = makePoint(tenant, 'lasting words', { dense: axis(3) });
      const deleted = makePoint(tenant, 'lasting not');
      await store.upsert(space, [kept, deleted]);
      await store.deleteRun({ organizationId: tenant.organizationId, runId: deleted.runId });
      store = await underTest.reopen();
      assert.deepEqual(await suite.search(tenant, 'lasting'), ['lasting words']);
      const hits = await store.search(space, scopeOf(tenant), { dense: axis(3), limit: 1 });
      assert.deepEqual(textsOf(hits), ['lasting words']);
      return undefined;
    });
  });
}
