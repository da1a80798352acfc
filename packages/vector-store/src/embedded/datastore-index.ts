import type { Candidate } from '../score-fusion.js';
import { DenseIndex } from './dense-index.js';
import type { VectorReader } from './dense-index.js';
import { grownInt32 } from './growable-arrays.js';
import { LexicalIndex } from './lexical-index.js';
import { TopCandidates } from './top-candidates.js';

/** The index is compacted when more than this share of its documents is deleted. */
const MAX_DELETED_SHARE = 0.25;
/** Smaller indexes are not compacted: their deleted documents cost too little. */
const MIN_DOCUMENTS_TO_COMPACT = 1000;

/** A run, with the ids that a filter can select its documents by. */
export interface IndexedRun {
  readonly runRef: number;
  readonly datasourceId: string;
  readonly groupId: string | null;
}

/** A point to index. */
export interface IndexedDocument {
  /** Row number in storage, greater than that of every document added before. */
  readonly pointNo: number;
  readonly run: IndexedRun;
  readonly terms: Uint32Array;
  readonly weights: Float32Array;
  /** Stored form of its vectors, see `dense-vectors.codec.ts`; `null` if it has none. */
  readonly dense: Uint8Array | null;
}

/** A term of a query with its weight, idf included. */
export interface WeightedTerm {
  readonly term: number;
  readonly factor: number;
}

/** 1 for each run that passes; `null` accepts all. A filter is then one array access per document. */
type RunFilter = Uint8Array | null;

/**
 * The in-memory index of one datastore in one space: an inverted index and a dense index over documents
 * numbered from 0 in the order of their rows. It is a cache of the rows in storage: filled lazily, and
 * discarded at any time.
 */
export class DatastoreIndex {
  /** Rows up to this number are indexed. New rows always have a higher number. */
  lastPointNo = 0;
  /** Whether all rows of the datastore are indexed. */
  complete = false;
  /** Documents, including deleted ones. */
  private count = 0;
  private deletedCount = 0;
  private pointNos = new Float64Array(64);
  /** Index in {@link runs} of the run of each document; −1 marks a deleted document. */
  private runOf = new Int32Array(64);
  private readonly runs: IndexedRun[] = [];
  private readonly runNumbers = new Map<number, number>();
  private lexical = new LexicalIndex();
  private dense: DenseIndex | null;
  private scores = new Float32Array(64);
  /** Documents with a score in the current search. */
  private matched = new Int32Array(64);

  constructor(dimensions: number | null) {
    this.dense = dimensions === null ? null : new DenseIndex(dimensions);
  }

  /** Number of live documents. */
  get size(): number {
    return this.count - this.deletedCount;
  }

  /** Estimated memory. */
  get bytes(): number {
    return this.lexical.bytes + (this.dense?.bytes ?? 0) + this.runOf.length * (8 + 4 + 4 + 4);
  }

  add(document: IndexedDocument): void {
    const doc = this.count++;
    this.reserve(this.count);
    this.pointNos[doc] = document.pointNo;
    this.lastPointNo = document.pointNo;
    this.runOf[doc] = this.runNumber(document.run);
    this.lexical.add(doc, document.terms, document.weights);
    this.dense?.add(document.dense);
  }

  /** Marks rows as deleted. Rows that are not indexed are ignored. */
  remove(pointNos: readonly number[]): void {
    for (const pointNo of pointNos) {
      const doc = this.findDoc(pointNo);
      if (doc === -1 || this.runOf[doc] === -1) continue;
      this.runOf[doc] = -1;
      this.deletedCount++;
    }
    const needsCompaction = this.deletedCount > this.count * MAX_DELETED_SHARE;
    if (this.count >= MIN_DOCUMENTS_TO_COMPACT && needsCompaction) this.compact();
  }

  /** Number of live documents that contain the term. */
  documentFrequency(term: number): number {
    return this.lexical.documentFrequency(term, this.deletedCount === 0 ? null : this.runOf);
  }

  /**
   * @param datasourceIds datasources or groups; `null` for all
   * @returns candidates by row number
   */
  searchLexical(
    terms: readonly WeightedTerm[],
    limit: number,
    datasourceIds: ReadonlySet<string> | null,
  ): Candidate<number>[] {
    const filter = this.runFilter(datasourceIds);
    const { scores, matched } = this;
    let count = 0;
    for (const { term, factor } of terms)
      count = this.lexical.accumulate(term, factor, scores, matched, count);
    const best = new TopCandidates(limit);
    for (let i = 0; i < count; i++) {
      const doc = matched[i]!;
      if (this.accepts(doc, filter)) best.offer(doc, scores[doc]!);
      scores[doc] = 0;
    }
    return this.toCandidates(best.ranked());
  }

  /**
   * @param query vector of unit length
   * @param datasourceIds datasources or groups; `null` for all
   * @returns candidates by row number
   */
  searchDense(
    query: Float32Array,
    limit: number,
    datasourceIds: ReadonlySet<string> | null,
    readVectors: (pointNos: readonly number[]) => ReadonlyMap<number, Uint8Array>,
  ): Candidate<number>[] {
    if (this.dense === null) return [];
    const filter = this.runFilter(datasourceIds);
    const reader: VectorReader = (docs) => {
      const pointNos = Array.from(docs, (doc) => this.pointNos[doc]!);
      const stored = readVectors(pointNos);
      return pointNos.map((pointNo) => stored.get(pointNo));
    };
    return this.toCandidates(this.dense.search(query, limit, this.accepted(filter), reader));
  }

  private accepts(doc: number, filter: RunFilter): boolean {
    const run = this.runOf[doc]!;
    return run >= 0 && (filter === null || filter[run] === 1);
  }

  private accepted(filter: RunFilter): Int32Array {
    const docs = new Int32Array(this.count);
    let count = 0;
    for (let doc = 0; doc < this.count; doc++) if (this.accepts(doc, filter)) docs[count++] = doc;
    return docs.subarray(0, count);
  }

  private runFilter(datasourceIds: ReadonlySet<string> | null): RunFilter {
    if (datasourceIds === null) return null;
    return Uint8Array.from(this.runs, ({ datasourceId, groupId }) =>
      datasourceIds.has(datasourceId) || (groupId !== null && datasourceIds.has(groupId)) ? 1 : 0,
    );
  }

  private toCandidates(ranked: readonly { doc: number; score: number }[]): Candidate<number>[] {
    return ranked.map(({ doc, score }) => ({ key: this.pointNos[doc]!, score }));
  }

  private runNumber(run: IndexedRun): number {
    let number = this.runNumbers.get(run.runRef);
    if (number === undefined) {
      number = this.runs.push(run) - 1;
      this.runNumbers.set(run.runRef, number);
    }
    return number;
  }

  /** Finds the document of a row by binary search: row numbers ascend. −1 if the row is not indexed. */
  private findDoc(pointNo: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = this.pointNos[middle]!;
      if (at === pointNo) return middle;
      if (at < pointNo) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  private reserve(length: number): void {
    if (length <= this.runOf.length) return;
    this.runOf = grownInt32(this.runOf, length);
    this.matched = new Int32Array(this.runOf.length);
    this.scores = new Float32Array(this.runOf.length);
    const pointNos = new Float64Array(this.runOf.length);
    pointNos.set(this.pointNos);
    this.pointNos = pointNos;
  }

  /** Rewrites the index without deleted documents: some tens of milliseconds at 100,000 documents. */
  private compact(): void {
    const newNumbers = new Int32Array(this.count);
    const runs = this.runs.splice(0);
    this.runNumbers.clear();
    let next = 0;
    for (let doc = 0; doc < this.count; doc++) {
      const run = this.runOf[doc]!;
      newNumbers[doc] = run < 0 ? -1 : next;
      if (run < 0) continue;
      this.pointNos[next] = this.pointNos[doc]!;
      this.runOf[next++] = this.runNumber(runs[run]!);
    }
    this.lexical = this.lexical.compacted(newNumbers);
    this.dense = this.dense?.compacted(newNumbers) ?? null;
    this.count = next;
    this.deletedCount = 0;
  }
}
