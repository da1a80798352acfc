import { describe, expect, it } from '@jest/globals';
import { toUnitLength } from '../unit-vector.js';
import { DenseIndex, EXACT_DOCUMENTS } from './dense-index.js';

const DIMENSIONS = 32;

/** Vectors clustered around 20 topics, with a common offset from the origin, like real embeddings. */
function makeVectors(count: number): Float32Array[] {
  let state = 1;
  const random = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647 - 0.5;
  const topics = Array.from({ length: 20 }, () => new Float32Array(DIMENSIONS).map(random));
  return Array.from({ length: count }, (_, i) =>
    toUnitLength(topics[i % 20]!.map((value) => 0.7 + value + 0.6 * random())),
  );
}

function exactTop(
  vectors: readonly Float32Array[],
  query: Float32Array,
  accepts: (doc: number) => boolean,
): number[] {
  const dot = (vector: Float32Array): number => vector.reduce((sum, value, i) => sum + value * query[i]!, 0);
  return vectors
    .map((vector, doc) => ({ doc, score: dot(vector) }))
    .filter(({ doc }) => accepts(doc))
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .map(({ doc }) => doc);
}

function recallOf(
  index: DenseIndex,
  vectors: readonly Float32Array[],
  accepts: (doc: number) => boolean,
): number {
  let found = 0;
  for (let i = 0; i < 20; i++) {
    const query = vectors[i * 97]!;
    const docs = index.search(query, 10, accepts, () => undefined).map(({ doc }) => doc);
    found += exactTop(vectors, query, accepts).filter((doc) => docs.includes(doc)).length;
  }
  return found / 200;
}

describe('DenseIndex', () => {
  it('is exact up to EXACT_DOCUMENTS', () => {
    const vectors = makeVectors(EXACT_DOCUMENTS);
    const index = new DenseIndex(DIMENSIONS);
    for (const vector of vectors) index.add(vector);
    expect(recallOf(index, vectors, () => true)).toBe(1);
  });

  it('has a recall of 0.97 with codes, with a filter, and after compaction', () => {
    const vectors = makeVectors(6000);
    const index = new DenseIndex(DIMENSIONS);
    for (const vector of vectors) index.add(vector);
    expect(recallOf(index, vectors, () => true)).toBeGreaterThanOrEqual(0.97);
    expect(recallOf(index, vectors, (doc) => doc % 3 === 0)).toBeGreaterThanOrEqual(0.97);
    let next = 0;
    const newNumbers = Int32Array.from(vectors, (_, doc) => (doc % 4 === 0 ? -1 : next++));
    const kept = vectors.filter((_, doc) => doc % 4 !== 0);
    expect(recallOf(index.compacted(newNumbers), kept, () => true)).toBeGreaterThanOrEqual(0.97);
  });

  it('skips documents without a vector', () => {
    const index = new DenseIndex(2);
    index.add(null);
    index.add(Float32Array.of(1, 0));
    const found = index.search(
      Float32Array.of(1, 0),
      5,
      () => true,
      () => undefined,
    );
    expect(found).toEqual([{ doc: 1, score: 1 }]);
  });
});
