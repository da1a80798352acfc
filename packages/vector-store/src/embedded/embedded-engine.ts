import type { DatabaseSync } from 'node:sqlite';
import { SpaceNotFoundError, VectorStoreError, VectorStoreUnavailableError } from '../vector-store.errors.js';
import type { RunScope, RunSummary, Space } from '../vector-store.port.js';
import { DatastoreIndex, type IndexedDocument } from './datastore-index.js';
import { type Argument, DamagedStorageError, type Result } from './engine.protocol.js';
import { decodeSparse, type PointBatch, storedVectors } from './point-batch.codec.js';
import { PointReader, type StoredSpace } from './point-reader.repository.js';
import { PointWriter, type StoredRun } from './point-writer.repository.js';
import { searchIndexes } from './index-search.js';
import type { Steps } from './step-scheduler.js';

/** Rows per transaction: bounds the time that a writer holds the lock, and the size of a commit. */
const TRANSACTION_ROWS = 256;
/** Rows per step of a write: about a millisecond. */
const STEP_ROWS = 32;
/** Rows per step of filling an index: some ten milliseconds. */
const LOAD_ROWS = 250;
const SCAN_ROWS = 500;

/** Changes of a transaction by datastore, applied to the indexes after the commit. */
interface Changes {
  readonly added: Map<number, IndexedDocument[]>;
  readonly removed: Map<number, number[]>;
}

/**
 * The engine of the embedded adapter. It runs on one thread. SQLite is the source of truth; the indexes in
 * memory are built from it. Long operations are generators of short steps, so that searches need not wait for
 * them (see `StepScheduler`).
 *
 * A write may pause within its transaction. Its changes reach the indexes in the same step as the commit, and
 * reads use a separate connection. A search therefore sees all of a transaction or nothing of it.
 */
export class EmbeddedEngine {
  private readonly reader: PointReader;
  private readonly writer: PointWriter;
  private readonly cache: IndexCache;
  /** The last known {@link PointWriter.externalVersion}. */
  private externalVersion: number;
  /** Whether the log may have bytes of deleted rows. A process that was killed may have left some. */
  private logHasDeletedRows = true;

  /** @param open opens one connection to the database; called twice */
  constructor(open: () => DatabaseSync, maxIndexBytes: number) {
    this.writer = new PointWriter(open());
    this.reader = new PointReader(open());
    this.cache = new IndexCache(maxIndexBytes);
    this.externalVersion = this.writer.externalVersion();
  }

  ensureSpace({ space }: Argument<'ensureSpace'>): void {
    if (this.reader.findSpace(space.name) === undefined) this.writer.addSpace(space);
    const found = this.spaceOf(space.name).space;
    if (found.dense?.dimensions !== space.dense?.dimensions) {
      throw new VectorStoreError(`space ${space.name} exists with other dimensions`);
    }
  }

  listSpaces(): Space[] {
    return this.reader.spaces();
  }

  *upsert({ spaceName, batch }: Argument<'upsert'>): Steps<void> {
    const found = this.spaceOf(spaceName);
    for (let from = 0; from < batch.payloads.length; from += TRANSACTION_ROWS) {
      const to = Math.min(from + TRANSACTION_ROWS, batch.payloads.length);
      yield* this.transaction(function* (this: EmbeddedEngine, changes) {
        // Not shared between transactions: a rollback also removes the run rows that were inserted.
        const runs = new Map<string, StoredRun>();
        for (let row = from; row < to; row++) {
          this.writePoint(found, batch, row, runs, changes);
          if ((row + 1) % STEP_ROWS === 0) yield;
        }
      });
      yield;
    }
  }

  *search({ spaceName, tenant, query }: Argument<'search'>): Steps<Result<'search'>> {
    const { spaceRef, space } = this.spaceOf(spaceName);
    const refs = new Set<number>();
    for (const id of tenant.datastoreIds) {
      const ref = this.reader.findDatastore(spaceRef, tenant.organizationId, id);
      if (ref !== undefined) refs.add(ref);
    }
    this.cache.pin(refs);
    try {
      for (;;) {
        this.discardStaleIndexes();
        // Looked up again after every pause: an external write may have discarded them.
        const indexes = Array.from(refs, (ref) => this.indexOf(ref, space));
        if (this.fillNext(refs)) return searchIndexes(indexes, query, this.reader);
        yield;
      }
    } finally {
      this.cache.unpin(refs);
    }
  }

  count({ spaceName, scope }: Argument<'count'>): number {
    return this.reader.countRun(this.spaceOf(spaceName).spaceRef, scope);
  }

  fetchVectors({ spaceName, scope, contentHashes }: Argument<'fetchVectors'>): Result<'fetchVectors'> {
    return this.reader.fetchVectors(this.spaceOf(spaceName), scope, contentHashes);
  }

  *deleteRun({ scope }: { scope: RunScope }): Steps<void> {
    yield* this.deleteRuns(this.writer.runsOfRun(scope));
  }

  *deleteDatasource({ scope }: Argument<'deleteDatasource'>): Steps<void> {
    yield* this.deleteRuns(this.writer.runsOfDatasource(scope));
  }

  /** The next page of runs after a row number. An empty page marks the end. */
  scanRuns({ spaceName, after }: Argument<'scanRuns'>): (RunSummary & { runRef: number })[] {
    return this.reader.runsAfter(this.spaceOf(spaceName).spaceRef, after, SCAN_ROWS);
  }

  ping(): void {
    this.reader.spaces();
  }

  /** @throws DamagedStorageError */
  check(): void {
    const [problem] = this.reader.check();
    if (problem !== undefined) throw new DamagedStorageError(problem);
  }

  /** No operation may be in progress. */
  close(): void {
    this.reader.close();
    this.writer.close();
  }

  private spaceOf(name: string): StoredSpace {
    const found = this.reader.findSpace(name);
    if (found === undefined) throw new SpaceNotFoundError(`space ${name} does not exist`);
    return found;
  }

  private writePoint(
    { spaceRef }: StoredSpace,
    batch: PointBatch,
    row: number,
    runs: Map<string, StoredRun>,
    changes: Changes,
  ): void {
    const payload = batch.payloads[row];
    if (payload === undefined) return;
    const { organizationId, datastoreId, datasourceId, groupId, runId } = payload;
    const runKey = [organizationId, datastoreId, datasourceId, groupId, runId].join();
    const run = runs.get(runKey) ?? this.writer.runOf(spaceRef, payload);
    runs.set(runKey, run);
    const replaced = this.writer.findPoint(spaceRef, payload.id);
    if (replaced !== undefined) {
      this.writer.remove(replaced.pointNo);
      append(changes.removed, replaced.datastoreRef, replaced.pointNo);
    }
    const { dense, lexical } = storedVectors(batch, row);
    const pointNo = this.writer.add(spaceRef, run, payload, dense, lexical);
    append(changes.added, run.datastoreRef, {
      pointNo,
      run: { runRef: run.runRef, datasourceId, groupId },
      ...decodeSparse(lexical),
      dense,
    });
  }

  /** When it ends, neither the file nor its log has the bytes of deleted rows. */
  private *deleteRuns(runs: readonly StoredRun[]): Steps<void> {
    this.logHasDeletedRows ||= runs.length > 0;
    for (const { runRef, datastoreRef } of runs) {
      let pointNos: number[];
      do {
        pointNos = yield* this.transaction(function* (this: EmbeddedEngine, changes) {
          const removed = this.writer.pointNumbers(runRef, TRANSACTION_ROWS);
          for (const [i, pointNo] of removed.entries()) {
            this.writer.remove(pointNo);
            if ((i + 1) % STEP_ROWS === 0) yield;
          }
          changes.removed.set(datastoreRef, removed);
          if (removed.length < TRANSACTION_ROWS) this.writer.removeRun(runRef);
          return removed;
        });
        yield;
      } while (pointNos.length === TRANSACTION_ROWS);
    }
    while (this.writer.vacuumStep()) yield;
    if (this.logHasDeletedRows && !this.writer.emptyLog())
      throw new VectorStoreUnavailableError(
        'another process reads the database, so the log keeps deleted rows',
      );
    this.logHasDeletedRows = false;
  }

  /** Runs the steps in one transaction, and applies their changes to the indexes if it commits. */
  private *transaction<T>(steps: (this: this, changes: Changes) => Steps<T>): Steps<T> {
    const changes: Changes = { added: new Map(), removed: new Map() };
    this.writer.begin();
    let result: T;
    try {
      result = yield* steps.call(this, changes);
      this.writer.commit();
    } catch (error) {
      this.writer.rollback();
      throw error;
    }
    this.apply(changes);
    return result;
  }

  /** Added rows go to complete indexes only: an incomplete one reads them from storage later. */
  private apply({ added, removed }: Changes): void {
    for (const [ref, pointNos] of removed) this.cache.peek(ref)?.remove(pointNos);
    for (const [ref, documents] of added) {
      const index = this.cache.peek(ref);
      if (index?.complete === true) for (const document of documents) index.add(document);
    }
    this.cache.trim();
  }

  private indexOf(datastoreRef: number, space: Space): DatastoreIndex {
    return this.cache.use(datastoreRef, () => new DatastoreIndex(space.dense?.dimensions ?? null));
  }

  /**
   * Reads the next rows into the first incomplete index.
   * @returns whether all indexes are complete
   */
  private fillNext(refs: ReadonlySet<number>): boolean {
    const incomplete = Array.from(refs).filter((ref) => this.cache.peek(ref)?.complete === false);
    const [ref] = incomplete;
    if (ref === undefined) return true;
    const index = this.cache.peek(ref);
    if (index === undefined) return false;
    const documents = this.reader.documentsAfter(ref, index.lastPointNo, LOAD_ROWS);
    for (const document of documents) index.add(document);
    index.complete = documents.length < LOAD_ROWS;
    if (index.complete) this.cache.trim();
    return index.complete && incomplete.length === 1;
  }

  /** Discards all indexes after a write of another process: which rows changed is unknown. */
  private discardStaleIndexes(): void {
    const version = this.writer.externalVersion();
    if (version === this.externalVersion) return;
    this.externalVersion = version;
    this.cache.clear();
  }
}

function append<T>(lists: Map<number, T[]>, key: number, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** LRU cache of datastore indexes, keyed by the row number of the datastore, with a memory budget. */
class IndexCache {
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
