import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatastoreIndex } from './datastore-index.js';
import type { IndexedDocument } from './datastore-index.js';

function makeDocument(pointNo: number, runRef = 1): IndexedDocument {
  return {
    pointNo,
    run: { runRef, datasourceId: `source${runRef}`, groupId: runRef === 2 ? 'site' : null },
    terms: Uint32Array.of(7, pointNo + 100),
    weights: Float32Array.of(1, pointNo),
    dense: Float32Array.of(1, pointNo),
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
      assert.equal(index.size, 2000 - from - 100);
      assert.equal(index.documentFrequency(7), index.size);
    }
    index.remove([3, 999_999]);
    assert.equal(index.size, 800);
    assert.ok(index.bytes <= before);
    const found = index.searchLexical([{ term: 7, factor: 1 }], 1000, null);
    assert.deepEqual(found[0], { pointNo: 3603, score: 1 });
    assert.equal(found.length, 800);
    assert.equal(index.searchLexical([{ term: 7, factor: 1 }], 1000, new Set(['site'])).length, 400);
    assert.equal(index.searchLexical([{ term: 7, factor: 1 }], 1000, new Set(['source1'])).length, 400);
    index.add(makeDocument(9001));
    assert.equal(index.searchLexical([{ term: 9101, factor: 1 }], 5, null)[0]?.pointNo, 9001);
  });

  it('resets its scores after each search', () => {
    const index = new DatastoreIndex(null);
    index.add(makeDocument(1));
    const search = (): unknown => index.searchLexical([{ term: 7, factor: 0.5 }], 5, null);
    assert.deepEqual(search(), [{ pointNo: 1, score: 0.5 }]);
    assert.deepEqual(search(), [{ pointNo: 1, score: 0.5 }]);
  });
});
