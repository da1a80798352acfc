import { decodeDense, highestDotProduct, toFloats } from './dense-vectors.codec.js';
import type { DenseVectors } from './dense-vectors.codec.js';
import { grownFloat32, grownInt32, grownInt8 } from './growable-arrays.js';
import { hammingDistance, nearestPrefix, PREFIX_WORDS, SignCoder } from './sign-coder.js';
import { TopCandidates } from './top-candidates.js';

/** Up to this many vectors each one is compared, in about two milliseconds. */
export const EXACT_VECTORS = 4000;
/** Up to this size the vectors of a datastore stay in memory. Beyond, rescoring reads them from disk. */
const RESIDENT_VECTOR_BYTES = 32 * 1024 * 1024;
/** Minimum number of documents that are preselected by code and rescored with their vectors. */
const MIN_RESCORED = 400;
/** Rescored documents per result. */
const RESCORED_PER_RESULT = 4;
/** Documents that the first bits of the codes select, per document that all bits select. */
const FIRST_PASS_OVERSAMPLING = 10;

/** Reads the stored vectors of documents, in their order; `undefined` for one that was deleted. */
export type VectorReader = (docs: Int32Array) => readonly (Uint8Array | undefined)[];

/**
 * Nearest neighbours by cosine among the documents of one datastore. A document has a vector for each of its
 * windows, and the best one counts. Up to {@link EXACT_VECTORS} every vector is compared. Beyond,
 * {@link SignCoder} codes preselect documents, which are rescored with their vectors.
 *
 * Scanning codes makes filters and deletions simple, and there is no graph to build, repair or store. The
 * scan is linear, which is fast enough for one datastore.
 */
export class DenseIndex {
  /** `null` if they are too large to stay in memory. */
  private scales: Float32Array<ArrayBuffer> | null = new Float32Array(64);
  private values: Int8Array<ArrayBuffer> | null = new Int8Array(0);
  private coder: SignCoder | null = null;
  private codes = new Int32Array(0);
  /** Documents, including those without a vector. */
  private count = 0;
  /** The first vector of each document. The vectors of a document end where those of the next one begin. */
  private firstRows = new Int32Array(64);

  constructor(
    private readonly dimensions: number,
    private readonly maxResidentBytes = RESIDENT_VECTOR_BYTES,
  ) {}

  get bytes(): number {
    const { scales, values, codes, firstRows } = this;
    return (scales?.byteLength ?? 0) + (values?.byteLength ?? 0) + codes.byteLength + firstRows.byteLength;
  }

  /**
   * Adds the next document. Documents are numbered from 0.
   * @param stored its vectors, as {@link decodeDense} reads them; `null` if it has none
   */
  add(stored: Uint8Array | null): void {
    const vectors = decodeDense(stored ?? new Uint8Array(0), this.dimensions);
    const from = this.rows;
    const to = from + vectors.scales.length;
    this.firstRows = grownInt32(this.firstRows, ++this.count + 1);
    this.firstRows[this.count] = to;
    this.keepResident(vectors, from, to);
    if (this.coder !== null) this.encode(this.coder, vectors, from);
    const tooLarge = to * this.dimensions > this.maxResidentBytes;
    if (this.coder === null && (tooLarge || to > EXACT_VECTORS)) this.startCoding();
    if (tooLarge) this.scales = this.values = null;
  }

  /**
   * The best `limit` documents, best first, each with the cosine of its best vector.
   * @param query vector of unit length
   * @param docs documents to search
   */
  search(
    query: Float32Array,
    limit: number,
    docs: Int32Array,
    readVectors: VectorReader,
  ): { doc: number; score: number }[] {
    const candidates = this.preselect(query, Math.max(MIN_RESCORED, RESCORED_PER_RESULT * limit), docs);
    const stored = this.resident === null ? readVectors(candidates) : [];
    const best = new TopCandidates(limit);
    for (const [i, doc] of candidates.entries()) {
      const cosine = this.bestCosine(doc, query, stored[i]);
      if (cosine !== undefined) best.offer(doc, cosine);
    }
    return best.ranked();
  }

  /**
   * Returns a copy with new document numbers.
   * @param newNumbers new number of each document, ascending from 0 without gaps; −1 to omit it
   */
  compacted(newNumbers: Int32Array): DenseIndex {
    const target = new DenseIndex(this.dimensions, this.maxResidentBytes);
    target.coder = this.coder;
    if (this.resident === null) target.scales = target.values = null;
    const words = this.coder?.words ?? 0;
    for (let doc = 0; doc < this.count; doc++) {
      if (newNumbers[doc]! < 0) continue;
      const [from, to] = [this.firstRows[doc]!, this.firstRows[doc + 1]!];
      const at = target.rows;
      const end = at + to - from;
      target.firstRows = grownInt32(target.firstRows, ++target.count + 1);
      target.firstRows[target.count] = end;
      target.codes = grownInt32(target.codes, end * words);
      target.codes.set(this.codes.subarray(from * words, to * words), at * words);
      if (this.resident !== null) target.keepResident(this.slice(this.resident, from, to), at, end);
    }
    return target;
  }

  /** Number of vectors. */
  private get rows(): number {
    return this.firstRows[this.count]!;
  }

  private get resident(): DenseVectors | null {
    const { scales, values } = this;
    return scales === null || values === null ? null : { scales, values };
  }

  private keepResident(vectors: DenseVectors, from: number, to: number): void {
    if (this.scales === null || this.values === null) return;
    this.scales = grownFloat32(this.scales, to);
    this.scales.set(vectors.scales, from);
    this.values = grownInt8(this.values, to * this.dimensions);
    this.values.set(vectors.values, from * this.dimensions);
  }

  private slice({ scales, values }: DenseVectors, from: number, to: number): DenseVectors {
    const { dimensions } = this;
    return {
      scales: scales.subarray(from, to),
      values: values.subarray(from * dimensions, to * dimensions),
    };
  }

  /**
   * @param stored vectors of the document, if they are not resident
   * @returns `undefined` if the document has no vectors, or if it was deleted meanwhile
   */
  private bestCosine(doc: number, query: Float32Array, stored: Uint8Array | undefined): number | undefined {
    const { resident } = this;
    const [from, to] = [this.firstRows[doc]!, this.firstRows[doc + 1]!];
    if (from === to) return undefined;
    if (resident !== null) return highestDotProduct(resident, from, to, query);
    return stored && highestDotProduct(decodeDense(stored, this.dimensions), 0, to - from, query);
  }

  /** The documents with the nearest codes, at least `minCount` of them. All documents if there are no codes. */
  private preselect(query: Float32Array, minCount: number, docs: Int32Array): Int32Array {
    const { coder, codes, firstRows } = this;
    if (coder === null || docs.length <= minCount) return docs;
    const { words } = coder;
    const code = new Int32Array(words);
    coder.encode(query, code, 0);
    // Any part of the bits of a rotated vector is a valid code: a first pass over a part costs less.
    const firstPass = nearest(docs, FIRST_PASS_OVERSAMPLING * minCount, PREFIX_WORDS * 32, (doc) =>
      nearestPrefix(codes, firstRows[doc]! * words, firstRows[doc + 1]! * words, words, code),
    );
    return nearest(firstPass, minCount, words * 32, (doc) => {
      let distance = words * 32;
      for (let row = firstRows[doc]!; row < firstRows[doc + 1]!; row++) {
        distance = Math.min(distance, hammingDistance(codes, row * words, code));
      }
      return distance;
    });
  }

  /** Computes codes from now on. The centre is the mean of the current vectors and does not change later. */
  private startCoding(): void {
    if (this.resident === null) return;
    const { rows, dimensions } = this;
    const vectors = this.slice(this.resident, 0, rows);
    const center = new Float32Array(dimensions);
    for (const vector of toFloats(vectors, dimensions)) {
      for (let i = 0; i < dimensions; i++) center[i]! += vector[i]! / rows;
    }
    this.coder = new SignCoder(center);
    this.encode(this.coder, vectors, 0);
  }

  private encode(coder: SignCoder, vectors: DenseVectors, firstRow: number): void {
    this.codes = grownInt32(this.codes, (firstRow + vectors.scales.length) * coder.words);
    for (const [i, vector] of toFloats(vectors, this.dimensions).entries()) {
      coder.encode(vector, this.codes, (firstRow + i) * coder.words);
    }
  }
}

/** The documents within the smallest distance that covers at least `minCount`, in their order. */
function nearest(
  docs: Int32Array,
  minCount: number,
  maxDistance: number,
  distanceOf: (doc: number) => number,
): Int32Array {
  if (docs.length <= minCount) return docs;
  const distances = new Uint16Array(docs.length);
  const histogram = new Int32Array(maxDistance + 1);
  for (let i = 0; i < docs.length; i++) {
    const distance = distanceOf(docs[i]!);
    distances[i] = distance;
    histogram[distance]!++;
  }
  // Distances are small integers, so a histogram replaces sorting.
  let radius = 0;
  let within = histogram[0]!;
  while (within < minCount) within += histogram[++radius]!;
  const selected = new Int32Array(within);
  let count = 0;
  for (let i = 0; i < docs.length; i++) if (distances[i]! <= radius) selected[count++] = docs[i]!;
  return selected;
}
