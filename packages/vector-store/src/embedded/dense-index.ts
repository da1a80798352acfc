import { grownFloat32, grownInt32 } from './growable-arrays.js';
import { hammingDistance, SignCoder } from './sign-coder.js';
import { TopCandidates } from './top-candidates.js';

/** Up to this many documents every vector is compared, in a millisecond or less. */
export const EXACT_DOCUMENTS = 2000;
/** Up to this size the vectors of a datastore stay in memory. Beyond, rescoring reads them from disk. */
export const RESIDENT_VECTOR_BYTES = 32 * 1024 * 1024;
/** Minimum number of candidates that are preselected by code and rescored with exact cosines. */
export const MIN_RESCORED = 400;
/** Rescored candidates per result. */
const RESCORED_PER_RESULT = 4;
/** Candidates that the first half of the bits selects, per candidate that all bits select. */
const HALF_CODE_OVERSAMPLING = 10;

/** Reads the stored vector of a document; `undefined` if it was deleted. */
export type VectorReader = (doc: number) => Float32Array | undefined;

/**
 * Nearest neighbours by cosine among the vectors of one datastore. Up to {@link EXACT_DOCUMENTS} the search
 * is exact. Beyond, {@link SignCoder} codes preselect candidates, which are rescored exactly.
 *
 * Scanning codes makes filters and deletions simple, and there is no graph to build, repair or store. The
 * scan is linear, which is fast enough for one datastore.
 */
export class DenseIndex {
  private vectors: Float32Array<ArrayBuffer> | null = new Float32Array(0);
  private coder: SignCoder | null = null;
  private codes = new Int32Array(0);
  /** Documents, including those without a vector. */
  private count = 0;
  /** 1 if a document has a vector. */
  private hasVector = new Int32Array(64);

  constructor(private readonly dimensions: number) {}

  get bytes(): number {
    return (this.vectors?.byteLength ?? 0) + this.codes.byteLength + this.hasVector.byteLength;
  }

  /**
   * Adds the next document. Documents are numbered from 0.
   * @param vector of unit length; `null` if the document has none
   */
  add(vector: Float32Array | null): void {
    const doc = this.count++;
    this.hasVector = grownInt32(this.hasVector, this.count);
    this.hasVector[doc] = vector === null ? 0 : 1;
    if (this.vectors !== null) {
      this.vectors = grownFloat32(this.vectors, this.count * this.dimensions);
      if (vector !== null) this.vectors.set(vector, doc * this.dimensions);
    }
    if (this.coder !== null) this.encode(this.coder, doc, vector);
    const tooLarge = this.count * this.dimensions * 4 > RESIDENT_VECTOR_BYTES;
    if (this.coder === null && (tooLarge || this.count > EXACT_DOCUMENTS)) this.startCoding();
    if (tooLarge) this.vectors = null;
  }

  /**
   * The best `limit` documents, best first, with their exact cosine.
   * @param query vector of unit length
   * @param accepts whether a document is live and passes the filter
   */
  search(
    query: Float32Array,
    limit: number,
    accepts: (doc: number) => boolean,
    readVector: VectorReader,
  ): { doc: number; score: number }[] {
    const candidates = this.preselect(query, Math.max(MIN_RESCORED, RESCORED_PER_RESULT * limit), accepts);
    const best = new TopCandidates(limit);
    const { vectors, dimensions } = this;
    for (const doc of candidates) {
      if (vectors !== null) {
        best.offer(doc, dotProduct(vectors, doc * dimensions, query));
      } else {
        const vector = readVector(doc);
        if (vector !== undefined) best.offer(doc, dotProduct(vector, 0, query));
      }
    }
    return best.ranked();
  }

  /**
   * Returns a copy with new document numbers.
   * @param newNumbers new number of each document, ascending; −1 to omit it
   */
  compacted(newNumbers: Int32Array): DenseIndex {
    const target = new DenseIndex(this.dimensions);
    target.coder = this.coder;
    target.vectors = this.vectors === null ? null : new Float32Array(this.vectors.length);
    target.codes = new Int32Array(this.codes.length);
    target.hasVector = new Int32Array(this.hasVector.length);
    const words = this.coder?.words ?? 0;
    for (let doc = 0; doc < this.count; doc++) {
      const to = newNumbers[doc]!;
      if (to < 0) continue;
      target.count = to + 1;
      target.hasVector[to] = this.hasVector[doc]!;
      target.codes.set(this.codes.subarray(doc * words, (doc + 1) * words), to * words);
      const from = doc * this.dimensions;
      if (this.vectors !== null) {
        target.vectors?.set(this.vectors.subarray(from, from + this.dimensions), to * this.dimensions);
      }
    }
    return target;
  }

  /** The documents with the nearest codes, at least `minCount` of them. All documents if there are no codes. */
  private preselect(query: Float32Array, minCount: number, accepts: (doc: number) => boolean): Int32Array {
    const { coder, hasVector } = this;
    const buffer = new Int32Array(this.count);
    let count = 0;
    for (let doc = 0; doc < this.count; doc++)
      if (hasVector[doc] === 1 && accepts(doc)) buffer[count++] = doc;
    const eligible = buffer.subarray(0, count);
    if (coder === null || count <= minCount) return eligible;

    const code = new Int32Array(coder.words);
    coder.encode(query, code, 0);
    // Any half of the bits of a rotated vector is a valid code: a first pass over it costs half as much.
    const firstPass = this.nearest(
      eligible,
      code.subarray(0, coder.words / 2),
      HALF_CODE_OVERSAMPLING * minCount,
    );
    return this.nearest(firstPass, code, minCount);
  }

  /** The documents within the smallest Hamming distance that covers at least `minCount`, in their order. */
  private nearest(docs: Int32Array, code: Int32Array, minCount: number): Int32Array {
    if (docs.length <= minCount) return docs;
    const words = this.coder?.words ?? 0;
    const distances = new Uint16Array(docs.length);
    const histogram = new Int32Array(code.length * 32 + 1);
    for (let i = 0; i < docs.length; i++) {
      const distance = hammingDistance(this.codes, docs[i]! * words, code);
      distances[i] = distance;
      histogram[distance]!++;
    }
    // Distances are small integers, so a histogram replaces sorting.
    let radius = 0;
    for (let within = histogram[0]!; within < minCount; within += histogram[radius]!) radius++;
    return docs.filter((_, i) => distances[i]! <= radius);
  }

  /** Computes codes from now on. The centre is the mean of the current vectors and does not change later. */
  private startCoding(): void {
    const { vectors, dimensions } = this;
    if (vectors === null) return;
    const center = new Float32Array(dimensions);
    for (let i = 0; i < this.count * dimensions; i++) center[i % dimensions]! += vectors[i]! / this.count;
    this.coder = new SignCoder(center);
    for (let doc = 0; doc < this.count; doc++) {
      this.encode(this.coder, doc, vectors.subarray(doc * dimensions, (doc + 1) * dimensions));
    }
  }

  private encode(coder: SignCoder, doc: number, vector: Float32Array | null): void {
    this.codes = grownInt32(this.codes, (doc + 1) * coder.words);
    if (vector !== null) coder.encode(vector, this.codes, doc * coder.words);
  }
}

/** Uses four independent sums, so that the CPU can pipeline the additions. */
function dotProduct(vectors: Float32Array, at: number, query: Float32Array): number {
  const whole = query.length & ~3;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i < whole; i += 4) {
    a += vectors[at + i]! * query[i]!;
    b += vectors[at + i + 1]! * query[i + 1]!;
    c += vectors[at + i + 2]! * query[i + 2]!;
    d += vectors[at + i + 3]! * query[i + 3]!;
  }
  for (; i < query.length; i++) a += vectors[at + i]! * query[i]!;
  return a + b + c + d;
}
