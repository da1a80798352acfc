import { grownFloat32, grownInt32 } from './growable-arrays.js';
import { hammingDistance, SignCoder } from './sign-code.js';
import { TopCandidates } from './top-candidates.js';

/** Up to this many documents are compared one by one: a millisecond or less. */
export const EXACT_DOCUMENTS = 2000;
/** Vectors of a datastore stay in memory up to this size; beyond it they are read from disk to rescore candidates. */
export const RESIDENT_VECTOR_BYTES = 32 * 1024 * 1024;
/** Fewest candidates that the codes preselect and exact cosines rescore. */
export const MIN_RESCORED = 400;
/** Preselected candidates for each one wanted. */
const RESCORED_PER_WANTED = 4;

/** Candidates that half of the bits let through, for each one that all bits select. */
const HALF_CODE_SLACK = 10;

/** Reads the stored vector of a document; `undefined` when it is gone. */
export type VectorReader = (doc: number) => Float32Array | undefined;

/**
 * Nearest neighbours by cosine among the vectors of one datastore. Small ones are compared exactly; larger ones are
 * preselected by {@link SignCoder} codes and the best candidates rescored exactly. Scanning codes keeps filters and
 * deletes trivial, and needs no graph to build, repair or store; it is linear, which suits one tenant's datastore.
 */
export class DenseIndex {
  private vectors: Float32Array<ArrayBuffer> | null = new Float32Array(0);
  private coder: SignCoder | null = null;
  private codes = new Int32Array(0);
  /** Documents, those without a vector too. */
  private count = 0;
  /** 1 where a document has a vector. */
  private present = new Int32Array(64);

  constructor(private readonly dimensions: number) {}

  get bytes(): number {
    return (this.vectors?.byteLength ?? 0) + this.codes.byteLength + this.present.byteLength;
  }

  /** Adds the next document: numbers count up from 0. @param vector of unit length */
  add(vector: Float32Array | null): void {
    const doc = this.count++;
    this.present = grownInt32(this.present, this.count);
    this.present[doc] = vector === null ? 0 : 1;
    if (this.vectors !== null) {
      this.vectors = grownFloat32(this.vectors, this.count * this.dimensions);
      if (vector !== null) this.vectors.set(vector, doc * this.dimensions);
    }
    if (this.coder !== null) this.encode(this.coder, doc, vector);
    const outgrown = this.count * this.dimensions * 4 > RESIDENT_VECTOR_BYTES;
    if (this.coder === null && (outgrown || this.count > EXACT_DOCUMENTS)) this.startCoding();
    if (outgrown) this.vectors = null;
  }

  /**
   * The best `wanted` documents, best first, with their exact cosine.
   * @param query of unit length
   * @param accepts whether a document is alive and passes the filter
   */
  search(
    query: Float32Array,
    wanted: number,
    accepts: (doc: number) => boolean,
    readVector: VectorReader,
  ): { doc: number; score: number }[] {
    const candidates = this.preselect(query, Math.max(MIN_RESCORED, RESCORED_PER_WANTED * wanted), accepts);
    const best = new TopCandidates(wanted);
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

  /** A copy with other document numbers. @param renumbered −1 for documents to leave out; otherwise ascending */
  compacted(renumbered: Int32Array): DenseIndex {
    const target = new DenseIndex(this.dimensions);
    target.coder = this.coder;
    target.vectors = this.vectors === null ? null : new Float32Array(this.vectors.length);
    target.codes = new Int32Array(this.codes.length);
    target.present = new Int32Array(this.present.length);
    const words = this.coder?.words ?? 0;
    for (let doc = 0; doc < this.count; doc++) {
      const to = renumbered[doc]!;
      if (to < 0) continue;
      target.count = to + 1;
      target.present[to] = this.present[doc]!;
      target.codes.set(this.codes.subarray(doc * words, (doc + 1) * words), to * words);
      const from = doc * this.dimensions;
      if (this.vectors !== null) {
        target.vectors?.set(this.vectors.subarray(from, from + this.dimensions), to * this.dimensions);
      }
    }
    return target;
  }

  /** Documents whose codes are nearest, at least `wanted` where there are as many; all when there are no codes. */
  private preselect(query: Float32Array, wanted: number, accepts: (doc: number) => boolean): Int32Array {
    const { coder, present } = this;
    const buffer = new Int32Array(this.count);
    let count = 0;
    for (let doc = 0; doc < this.count; doc++) if (present[doc] === 1 && accepts(doc)) buffer[count++] = doc;
    const eligible = buffer.subarray(0, count);
    if (coder === null || count <= wanted) return eligible;

    const code = new Int32Array(coder.words);
    coder.encode(query, code, 0);
    // Of a rotated vector any half of the bits is a code, too: it thins the many at half the price.
    const fewer = this.nearest(eligible, code.subarray(0, coder.words / 2), HALF_CODE_SLACK * wanted);
    return this.nearest(fewer, code, wanted);
  }

  /** Documents within the smallest Hamming distance that takes in enough of them; numbers keep their order. */
  private nearest(docs: Int32Array, code: Int32Array, wanted: number): Int32Array {
    if (docs.length <= wanted) return docs;
    const words = this.coder?.words ?? 0;
    const distances = new Uint16Array(docs.length);
    const histogram = new Int32Array(code.length * 32 + 1);
    for (let i = 0; i < docs.length; i++) {
      const distance = hammingDistance(this.codes, docs[i]! * words, code);
      distances[i] = distance;
      histogram[distance]!++;
    }
    // Distances are small integers, so no sorting is needed.
    let radius = 0;
    for (let within = histogram[0]!; within < wanted; within += histogram[radius]!) radius++;
    return docs.filter((_, i) => distances[i]! <= radius);
  }

  /** From now on codes are kept. The centre is that of the vectors known by now, and stays. */
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

/** Four sums at once, so that the additions do not wait for each other. */
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
