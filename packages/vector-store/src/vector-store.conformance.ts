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
import { spacesAndPoints } from './conformance/points.conformance.js';
import { runsAndDeleting } from './conformance/runs.conformance.js';
import { searching } from './conformance/search.conformance.js';
import type { VectorStore } from './vector-store.port.js';

/** A store to test. */
export interface StoreUnderTest {
  readonly store: VectorStore;
  /** Closes the store and opens the same data again; absent where a store cannot show that. */
  readonly reopen?: () => Promise<VectorStore>;
  /** Why lexical statistics are not the datastore's own; absent where they are. */
  readonly sharedStatistics?: string;
  /** Closes the store and removes what it made. */
  dispose(): Promise<void>;
}

/**
 * What every vector store does. Rankings and effects are compared, not raw scores, which differ between engines. Spaces
 * have unique names and are dropped, so that suites may share a server.
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

    spacesAndPoints(suite);
    searching(suite);
    runsAndDeleting(suite);

    it('answers a ping', async () => {
      await store.ping();
    });

    it('has everything after being opened again', async (t) => {
      if (underTest.reopen === undefined) return t.skip('the data outlives the client by itself');
      const tenant = makeTenant();
      const kept = makePoint(tenant, 'lasting words', { dense: axis(3) });
      const gone = makePoint(tenant, 'lasting not');
      await store.upsert(space, [kept, gone]);
      await store.deleteRun({ organizationId: tenant.organizationId, runId: gone.runId });
      store = await underTest.reopen();
      assert.deepEqual(await suite.search(tenant, 'lasting'), ['lasting words']);
      const hits = await store.search(space, scopeOf(tenant), { dense: axis(3), limit: 1 });
      assert.deepEqual(textsOf(hits), ['lasting words']);
      return undefined;
    });
  });
}
