import { describe, expect, it } from '@jest/globals';
import { DenseIndex, EXACT_VECTORS } from './dense-index.js';
import { decodeDense, encodeDense, toFloats } from './dense-vectors.codec.js';

const DIMENSIONS = 32;
type Windows = readonly Float32Array[];

/** Documents of 0 to 4 vectors, clustered around 20 topics, with a common offset like real embeddings. */
function makeDocuments(count: number): Windows[] {
  let state = 1;
  const random = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647 - 0.5;
  const topics = Array.from({ length: 20 }, () => new Float32Array(DIMENSIONS).map(random));
  return Array.from({ length: count }, (_, i) =>
    rounded(
      Array.from({ length: i % 5 }, () => topics[i % 20]!.map((value) => 0.7 + value + 0.6 * random())),
    ),
  );
}

/** The vectors as the index stores them. */
function rounded(vectors: Windows): Windows {
  return toFloats(decodeDense(encodeDense(vectors, DIMENSIONS), DIMENSIONS), DIMENSIONS);
}

function indexOf(documents: readonly Windows[], index = new DenseIndex(DIMENSIONS)): DenseIndex {
  for (const windows of documents) index.add(windows.length === 0 ? null : encodeDense(windows, DIMENSIONS));
  return index;
}

function exactTop(
  documents: readonly Windows[],
  query: Float32Array,
  accepts: (doc: number) => boolean,
): number[] {
  const dot = (vector: Float32Array): number => vector.reduce((sum, value, i) => sum + value * query[i]!, 0);
  return documents
    .map((windows, doc) => ({ doc, score: Math.max(...windows.map(dot)) }))
    .filter(({ doc, score }) => score > -Infinity && accepts(doc))
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .map(({ doc }) => doc);
}

function recallOf(
  index: DenseIndex,
  documents: readonly Windows[],
  accepts: (doc: number) => boolean = () => true,
): number {
  let found = 0;
  // The 20 documents have 4 vectors each.
  const queries = makeDocuments(100).flatMap((windows, i) => (windows.length === 4 ? [windows[i % 4]!] : []));
  for (const query of queries) {
    const accepted = Int32Array.from(documents.keys()).filter(accepts);
    const docs = index.search(query, 10, accepted, () => []).map(({ doc }) => doc);
    expect(new Set(docs).size).toBe(10);
    found += exactTop(documents, query, accepts).filter((doc) => docs.includes(doc)).length;
  }
  return found / 200;
}

describe('DenseIndex', () => {
  it('finds the documents with the best vectors, up to EXACT_VECTORS all of them', () => {
    const documents = makeDocuments(EXACT_VECTORS / 2);
    expect(recallOf(indexOf(documents), documents)).toBe(1);
  });

  it('has a recall of 0.97 with codes, with a filter, after compaction, and for later documents', () => {
    const documents = makeDocuments(6000);
    const index = indexOf(documents);
    expect(recallOf(index, documents)).toBeGreaterThanOrEqual(0.97);
    expect(recallOf(index, documents, (doc) => doc % 3 === 0)).toBeGreaterThanOrEqual(0.97);
    let next = 0;
    const newNumbers = Int32Array.from(documents, (_, doc) => (doc % 7 === 5 ? -1 : next++));
    const kept = documents.filter((_, doc) => doc % 7 !== 5);
    const compacted = index.compacted(newNumbers);
    expect(recallOf(compacted, kept)).toBeGreaterThanOrEqual(0.97);
    const later = makeDocuments(500);
    expect(recallOf(indexOf(later, compacted), [...kept, ...later])).toBeGreaterThanOrEqual(0.97);
  });

  it('reads vectors that do not stay in memory, and omits documents that were deleted meanwhile', () => {
    const documents = makeDocuments(1500);
    const index = indexOf(documents, new DenseIndex(DIMENSIONS, 1000 * DIMENSIONS));
    const query = documents[4]![0]!;
    const search = (deleted: number): number[] => {
      const found = index.search(query, 10, Int32Array.from(documents.keys()), (docs) =>
        Array.from(docs, (doc) => (doc === deleted ? undefined : encodeDense(documents[doc]!, DIMENSIONS))),
      );
      return found.map(({ doc }) => doc);
    };
    expect(search(-1)[0]).toBe(4);
    expect(search(4)).toEqual(exactTop(documents, query, (doc) => doc !== 4));
  });

  it('omits documents without vectors', () => {
    const index = new DenseIndex(2);
    index.add(null);
    index.add(encodeDense([Float32Array.of(0, 1), Float32Array.of(1, 0)], 2));
    const query = Float32Array.of(1, 0);
    expect(index.search(query, 5, Int32Array.of(0, 1), () => [])).toEqual([
      { doc: 1, score: expect.closeTo(1, 6) },
    ]);
  });
});
