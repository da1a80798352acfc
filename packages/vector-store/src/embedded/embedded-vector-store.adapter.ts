import type {
  DatasourceScope,
  DatastoreScope,
  Hit,
  Point,
  RunScope,
  RunSummary,
  SearchQuery,
  Space,
  TenantScope,
  VectorStore,
} from '../vector-store.port.js';
import {
  assertContentHash,
  assertPoints,
  assertQuery,
  assertScope,
  assertSpace,
  assertSpaceName,
  assertTenant,
} from '../vector-store.validation.js';
import { EngineThread } from './engine-thread.js';
import { encodeBatch } from './point-batch.codec.js';

export interface EmbeddedVectorStoreOptions {
  /** Directory of the database; created if it is missing. */
  readonly directory: string;
  /**
   * Memory budget of the indexes; default 256 MiB. The index of a datastore that is being searched is held
   * completely, even if it exceeds the budget.
   */
  readonly maxIndexBytes?: number;
}

const DEFAULT_MAX_INDEX_BYTES = 256 * 1024 * 1024;

/**
 * A vector store in this process: SQLite for storage and indexes in memory, both in a worker thread. Other
 * processes may open the same directory; each sees the writes of the others.
 */
export class EmbeddedVectorStore implements VectorStore {
  private readonly thread: EngineThread;

  constructor({ directory, maxIndexBytes = DEFAULT_MAX_INDEX_BYTES }: EmbeddedVectorStoreOptions) {
    this.thread = new EngineThread({ directory, maxIndexBytes });
  }

  async ensureSpace(space: Space): Promise<void> {
    assertSpace(space);
    await this.thread.call('ensureSpace', { space: { name: space.name, dense: space.dense } });
  }

  async listSpaces(): Promise<Space[]> {
    return this.thread.call('listSpaces', {});
  }

  async dropSpace(name: string): Promise<void> {
    assertSpaceName(name);
    await this.thread.call('dropSpace', { name });
  }

  async upsert(space: Space, points: readonly Point[]): Promise<void> {
    assertPoints(space, points);
    const batch = encodeBatch(points, space.dense?.dimensions ?? 0);
    await this.thread.call('upsert', { spaceName: space.name, batch }, [
      batch.lexical.buffer,
      batch.dense.buffer,
    ]);
  }

  async search(space: Space, tenant: TenantScope, query: SearchQuery): Promise<Hit[]> {
    assertTenant(tenant);
    assertQuery(space, query);
    return this.thread.call('search', { spaceName: space.name, tenant, query });
  }

  async count(space: Space, scope: RunScope): Promise<number> {
    assertSpace(space);
    assertScope(scope);
    return this.thread.call('count', { spaceName: space.name, scope });
  }

  async fetchVectors(
    space: Space,
    scope: RunScope,
    contentHashes: readonly string[],
  ): Promise<Map<string, Float32Array[]>> {
    assertSpace(space);
    assertScope(scope);
    contentHashes.forEach(assertContentHash);
    return this.thread.call('fetchVectors', { spaceName: space.name, scope, contentHashes });
  }

  async deleteRun(scope: RunScope): Promise<void> {
    assertScope(scope);
    await this.thread.call('deleteRun', { scope });
  }

  async deleteDatasource(scope: DatasourceScope): Promise<void> {
    assertScope(scope);
    await this.thread.call('deleteDatasource', { scope });
  }

  async deleteDatastore(scope: DatastoreScope): Promise<void> {
    assertScope(scope);
    await this.thread.call('deleteDatastore', { scope });
  }

  async *scanRuns(space: Space): AsyncIterable<RunSummary> {
    assertSpace(space);
    for (let after = 0; ;) {
      const page = await this.thread.call('scanRuns', { spaceName: space.name, after });
      if (page.length === 0) return;
      for (const { runRef, ...summary } of page) {
        after = runRef;
        if (summary.points > 0) yield summary;
      }
    }
  }

  async ping(): Promise<void> {
    await this.thread.call('ping', {});
  }

  async close(): Promise<void> {
    await this.thread.close();
  }
}
