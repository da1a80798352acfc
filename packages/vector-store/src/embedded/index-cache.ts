import type { DatastoreIndex } from './datastore-index.js';

/** LRU cache of datastore indexes, keyed by the row number of the datastore, with a memory budget. */
export class IndexCache {
  private readonly indexes = new Map<number, DatastoreIndex>();
  private readonly pins = new Map<number, number>();

  constructor(private readonly maxBytes: number) {}

  /** Returns the index, created if it is missing, and marks it as most recently used. */
  use(datastoreRef: number, create: () => DatastoreIndex): DatastoreIndex {
    const index = this.indexes.get(datastoreRef) ?? create();
    this.indexes.delete(datastoreRef);
    this.indexes.set(datastoreRef, index);
    return index;
  }

  /** Returns the index if it is cached, without marking it as used. */
  peek(datastoreRef: number): DatastoreIndex | undefined {
    return this.indexes.get(datastoreRef);
  }

  /**
   * Protects indexes from eviction while a search fills and uses them: concurrent searches that evict each
   * other's indexes would never end. Call {@link unpin} once for each call.
   */
  pin(datastoreRefs: Iterable<number>): void {
    for (const ref of datastoreRefs) this.pins.set(ref, (this.pins.get(ref) ?? 0) + 1);
  }

  unpin(datastoreRefs: Iterable<number>): void {
    for (const ref of datastoreRefs) {
      const pins = (this.pins.get(ref) ?? 0) - 1;
      if (pins > 0) this.pins.set(ref, pins);
      else this.pins.delete(ref);
    }
  }

  /** Evicts the least recently used indexes that are not pinned, until the budget is met. */
  trim(): void {
    let bytes = 0;
    for (const index of this.indexes.values()) bytes += index.bytes;
    for (const [ref, index] of this.indexes) {
      if (bytes <= this.maxBytes) return;
      if (this.pins.has(ref)) continue;
      this.indexes.delete(ref);
      bytes -= index.bytes;
    }
  }

  clear(): void {
    this.indexes.clear();
  }
}
