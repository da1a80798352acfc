import { describe, expect, it } from '@jest/globals';
import { DatastoreIndex } from './datastore-index.js';
import type { IndexedDocument } from './datastore-index.js';
import { encodeDense } from './dense-vectors.codec.js';

function makeDocument(pointNo: number, runRef = 1): IndexedDocument {
  return {
    pointNo,
    run: { runRef, datasourceId: `source${runRef}`, groupId: runRef === 2 ? 'site' : null },
    terms: Uint32Array.of(7, pointNo + 100),
    weights: Float32Array.of(1, pointNo),
    dense: encodeDense([Float32Array.of(1, pointNo)], 2),
  };
}

describe('DatastoreIndex', () => {
  it('removes documents immediately, and compacts once a quarter is deleted', () => {
    const index = new DatastoreIndex(2);
    for (let pointNo = 1; pointNo <= 2000; pointNo++) index.add(makeDocument(pointNo * 3, 1 + (pointNo % 2)));
    const before = index.bytes;
    const removed = Array.from({ length: 1200 }, (_, i) => (i + 1) * 3);
    for (let from = 0; from < removed.length; from += 100) {
      index.remove(removed.slice(from, from + 100));
      expect(index.size).toBe(2000 - from - 100);
      expect(index.documentFrequency(7)).toBe(index.size);
    }
    index.remove([3, 999_999]);
    expect(index.size).toBe(800);
    expect(index.bytes).toBeLessThanOrEqual(before);
    const found = index.searchLexical([{ term: 7, factor: 1 }], 1000, null);
    expect(found[0]).toEqual({ key: 3603, score: 1 });
    expect(found).toHaveLength(800);
    expect(index.searchLexical([{ term: 7, factor: 1 }], 1000, new Set(['site']))).toHaveLength(400);
    expect(index.searchLexical([{ term: 7, factor: 1 }], 1000, new Set(['source1']))).toHaveLength(400);
    index.add(makeDocument(9001));
    expect(index.searchLexical([{ term: 9101, factor: 1 }], 5, null)[0]?.key).toBe(9001);
  });

  it('resets its scores after each search', () => {
    const index = new DatastoreIndex(null);
    index.add(makeDocument(1));
    const search = (): unknown => index.searchLexical([{ term: 7, factor: 0.5 }], 5, null);
    expect(search()).toEqual([{ key: 1, score: 0.5 }]);
    expect(search()).toEqual([{ key: 1, score: 0.5 }]);
  });
});
