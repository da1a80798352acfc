import { join } from 'node:path';
import type {
  DatasourceScope,
  Hit,
  Point,
  RunScope,
  RunSummary,
  SearchQuery,
  Space,
  StorageDamage,
  TenantScope,
  VectorStore,
} from '../vector-store.port.js';
import { VectorStoreUnavailableError } from '../vector-store.errors.js';
import {
  assertContentHash,
  assertPoints,
  assertQuery,
  assertScope,
  assertSpace,
  assertTenant,
} from '../vector-store.validation.js';
import { DAMAGED_FILE, setStorageAside } from './storage.schema.js';
import type { EngineOptions } from './engine.protocol.js';
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
  /**
   * A damaged file is renamed to {@link DAMAGED_FILE}, and the store continues with an empty one. Only for the process
   * that can write the points again. Default false: calls are rejected while the file is damaged.
   */
  readonly setsDamagedFileAside?: boolean;
}

const DEFAULT_MAX_INDEX_BYTES = 256 * 1024 * 1024;

/**
 * A vector store in this process: SQLite for storage and indexes in memory, both in a worker thread. Other
 * processes may open the same directory; each sees the writes of the others.
 */
export class EmbeddedVectorStore implements VectorStore {
  private readonly options: EngineOptions;
  private readonly thread: EngineThread;
  /** The file may have been deleted while no process used it, so the first count is not 0. */
  private lossCount = 1;
  private damage: StorageDamage | null = null;

  constructor({
    directory,
    maxIndexBytes = DEFAULT_MAX_INDEX_BYTES,
    setsDamagedFileAside = false,
  }: EmbeddedVectorStoreOptions) {
    const onDamage = (message: string, isReplaced: boolean): void => {
      if (!isReplaced) setStorageAside(directory);
      this.lossCount += 1;
      if (!isReplaced) this.damage = { problem: message, file: join(directory, DAMAGED_FILE) };
    };
    this.options = { directory, maxIndexBytes };
    this.thread = new EngineThread(this.options, setsDamagedFileAside ? onDamage : null);
  }

  get losses(): number {
    return this.lossCount;
  }

  get lastDamage(): StorageDamage | null {
    return this.damage;
  }

  async ensureSpace(space: Space): Promise<void> {
    assertSpace(space);
    await this.thread.call('ensureSpace', { space: { name: space.name, dense: space.dense } });
  }

  async listSpaces(): Promise<Space[]> {
    return this.thread.call('listSpaces', {});
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

  /** Reads the file in a thread of its own, without what the other thread has in memory. */
  async check(): Promise<void> {
    const thread = new EngineThread(this.options);
    try {
      await thread.call('check', {});
    } catch (error) {
      if (error instanceof VectorStoreUnavailableError && error.reason === 'is damaged')
        this.thread.leaveFile(error.message, false);
      throw error;
    } finally {
      await thread.close();
    }
  }

  async close(): Promise<void> {
    await this.thread.close();
  }
}
