import { DenseIndex } from './dense-index.js';
import type { VectorReader } from './dense-index.js';
import { grownInt32 } from './growable-arrays.js';
import { LexicalIndex } from './lexical-index.js';
import { TopCandidates } from './top-candidates.js';

/** Past this share of dead documents the index is rewritten without them. */
const MAX_DEAD_SHARE = 0.25;
/** Below this many documents the dead cost nothing worth a rewrite. */
const MIN_DOCUMENTS_TO_COMPACT = 1000;

/** A run as the index needs it: what its documents can be filtered by. */
export interface IndexedRun {
  readonly runRef: number;
  readonly datasourceId: string;
  readonly groupId: string | null;
}

/** A document as the index takes it. */
export interface IndexedDocument {
  /** Row number in storage; ascends from document to document. */
  readonly pointNo: number;
  readonly run: IndexedRun;
  readonly terms: Uint32Array;
  readonly weights: Float32Array;
  readonly dense: Float32Array | null;
}

/** A candidate of one leg. */
export interface Candidate {
  readonly pointNo: number;
  readonly score: number;
}

/** A query's term with its weight, idf included. */
export interface WeightedTerm {
  readonly term: number;
  readonly factor: number;
}

/** Decides by run, so that a filter is one array look-up for each document. */
type RunFilter = Uint8Array | null;

/**
 * The memory of one datastore in one space: documents numbered from 0 in the order of their rows, the inverted index and
 * the dense index over these numbers. It is a cache of what storage holds, filled lazily and thrown away at will.
 */
export class DatastoreIndex {
  /** Rows up to this number are in. Rows are only ever added above it. */
  lastPointNo = 0;
  /** Whether all rows of the datastore are in; until then, storage has more. */
  complete = false;
  private count = 0;
  private dead = 0;
  private pointNos = new Float64Array(64);
  /** Number of the document's run in {@link runs}; −1 marks a dead document. */
  private runOf = new Int32Array(64);
  private readonly runs: IndexedRun[] = [];
  private readonly runNumbers = new Map<number, number>();
  private lexical = new LexicalIndex();
  private dense: DenseIndex | null;
  private scores = new Float32Array(64);
  private noted = new Int32Array(64);

  constructor(dimensions: number | null) {
    this.dense = dimensions === null ? null : new DenseIndex(dimensions);
  }

  /** Documents that are alive. */
  get size(): number {
    return this.count - this.dead;
  }

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

  /** Marks rows as dead; rows that are not in are no error. */
  remove(pointNos: readonly number[]): void {
    for (const pointNo of pointNos) {
      const doc = this.docOf(pointNo);
      if (doc === -1 || this.runOf[doc] === -1) continue;
      this.runOf[doc] = -1;
      this.dead++;
    }
    if (this.count >= MIN_DOCUMENTS_TO_COMPACT && this.dead > this.count * MAX_DEAD_SHARE) this.compact();
  }

  /** Live documents that have the term. */
  documentFrequency(term: number): number {
    return this.lexical.documentFrequency(term, this.dead === 0 ? null : this.runOf);
  }

  /** @param datasourceIds datasources or groups; `null` for all */
  searchLexical(
    terms: readonly WeightedTerm[],
    wanted: number,
    datasourceIds: ReadonlySet<string> | null,
  ): Candidate[] {
    const filter = this.runFilter(datasourceIds);
    const { scores, noted } = this;
    let count = 0;
    for (const { term, factor } of terms) count = this.lexical.accumulate(term, factor, scores, noted, count);
    const best = new TopCandidates(wanted);
    for (let i = 0; i < count; i++) {
      const doc = noted[i]!;
      if (this.accepts(doc, filter)) best.offer(doc, scores[doc]!);
      scores[doc] = 0;
    }
    return this.toCandidates(best.ranked());
  }

  /** @param query of unit length @param datasourceIds datasources or groups; `null` for all */
  searchDense(
    query: Float32Array,
    wanted: number,
    datasourceIds: ReadonlySet<string> | null,
    readVector: (pointNo: number) => Float32Array | undefined,
  ): Candidate[] {
    if (this.dense === null) return [];
    const filter = this.runFilter(datasourceIds);
    const reader: VectorReader = (doc) => readVector(this.pointNos[doc]!);
    return this.toCandidates(this.dense.search(query, wanted, (doc) => this.accepts(doc, filter), reader));
  }

  private accepts(doc: number, filter: RunFilter): boolean {
    const run = this.runOf[doc]!;
    return run >= 0 && (filter === null || filter[run] === 1);
  }

  private runFilter(datasourceIds: ReadonlySet<string> | null): RunFilter {
    if (datasourceIds === null) return null;
    return Uint8Array.from(this.runs, ({ datasourceId, groupId }) =>
      datasourceIds.has(datasourceId) || (groupId !== null && datasourceIds.has(groupId)) ? 1 : 0,
    );
  }

  private toCandidates(ranked: readonly { doc: number; score: number }[]): Candidate[] {
    return ranked.map(({ doc, score }) => ({ pointNo: this.pointNos[doc]!, score }));
  }

  private runNumber(run: IndexedRun): number {
    let number = this.runNumbers.get(run.runRef);
    if (number === undefined) {
      number = this.runs.push(run) - 1;
      this.runNumbers.set(run.runRef, number);
    }
    return number;
  }

  /** Row numbers ascend, so a binary search finds the document; −1 when the row is not in. */
  private docOf(pointNo: number): number {
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
    this.noted = new Int32Array(this.runOf.length);
    this.scores = new Float32Array(this.runOf.length);
    const pointNos = new Float64Array(this.runOf.length);
    pointNos.set(this.pointNos);
    this.pointNos = pointNos;
  }

  /** Takes the dead out: some tens of milliseconds at 100,000 documents, once for each quarter that died. */
  private compact(): void {
    const renumbered = new Int32Array(this.count);
    const runs = this.runs.splice(0);
    this.runNumbers.clear();
    let next = 0;
    for (let doc = 0; doc < this.count; doc++) {
      const run = this.runOf[doc]!;
      renumbered[doc] = run < 0 ? -1 : next;
      if (run < 0) continue;
      this.pointNos[next] = this.pointNos[doc]!;
      this.runOf[next++] = this.runNumber(runs[run]!);
    }
    this.lexical = this.lexical.compacted(renumbered);
    this.dense = this.dense?.compacted(renumbered) ?? null;
    this.count = next;
    this.dead = 0;
  }
}
