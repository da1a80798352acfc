import type { DatastoreIndex } from './datastore-index.js';

/** Indexes of datastores by their row number, the least recently used first, within a budget of bytes. */
export class IndexCache {
  private readonly indexes = new Map<number, DatastoreIndex>();
  private readonly pins = new Map<number, number>();

  constructor(private readonly maxBytes: number) {}

  /** The index, made by `create` when there is none; it counts as used. */
  use(datastoreRef: number, create: () => DatastoreIndex): DatastoreIndex {
    const index = this.indexes.get(datastoreRef) ?? create();
    this.indexes.delete(datastoreRef);
    this.indexes.set(datastoreRef, index);
    return index;
  }

  /** The index if it is in memory. */
  peek(datastoreRef: number): DatastoreIndex | undefined {
    return this.indexes.get(datastoreRef);
  }

  /**
   * Keeps indexes from being dropped while a search fills and uses them: searches that evicted each other's indexes
   * would never end. Each call is undone by one of {@link unpin}.
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

  /** Drops what was used longest ago until the budget holds, but for what is pinned. */
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
