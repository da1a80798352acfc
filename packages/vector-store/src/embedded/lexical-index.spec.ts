import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LexicalIndex } from './lexical-index.js';

/** Documents as lists of distinct terms of a small vocabulary, so that posting lists span several blocks. */
const documents = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 8 }), {
  maxLength: 120,
});

function fill(texts: readonly number[][]): LexicalIndex {
  const index = new LexicalIndex();
  texts.forEach((terms, doc) =>
    index.add(
      doc,
      Uint32Array.from(terms),
      Float32Array.from(terms, (term) => term + 1),
    ),
  );
  return index;
}

function scoresOf(index: LexicalIndex, term: number, count: number): number[] {
  const scores = new Float32Array(count);
  index.accumulate(term, 2, scores, new Int32Array(count), 0);
  return [...scores];
}

describe('LexicalIndex', () => {
  it('scores exactly the documents that contain a term', () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 0, max: 13 }), (texts, term) => {
        const expected = texts.map((terms) => (terms.includes(term) ? 2 * (term + 1) : 0));
        expect(scoresOf(fill(texts), term, texts.length)).toEqual(expected);
      }),
    );
  });

  it('counts live documents', () => {
    fc.assert(
      fc.property(documents, fc.func(fc.boolean()), (texts, isLive) => {
        const index = fill(texts);
        const liveMarks = Int32Array.from(texts, (_, doc) => (isLive(doc) ? 0 : -1));
        const matching = texts.filter((terms) => terms.includes(3));
        expect(index.documentFrequency(3, null)).toBe(matching.length);
        const liveMatching = texts.filter((terms, doc) => terms.includes(3) && liveMarks[doc] === 0);
        expect(index.documentFrequency(3, liveMarks)).toBe(liveMatching.length);
      }),
    );
  });

  it('equals an index of the live documents after compaction', () => {
    fc.assert(
      fc.property(documents, fc.func(fc.boolean()), (texts, isLive) => {
        let next = 0;
        const newNumbers = Int32Array.from(texts, (_, doc) => (isLive(doc) ? next++ : -1));
        const live = texts.filter((_, doc) => isLive(doc));
        const compacted = fill(texts).compacted(newNumbers);
        const fresh = fill(live);
        for (let term = 0; term <= 12; term++) {
          expect(scoresOf(compacted, term, live.length)).toEqual(scoresOf(fresh, term, live.length));
        }
      }),
    );
  });

  it('stores posting lists that span many pages', () => {
    const index = new LexicalIndex();
    for (let doc = 0; doc < 50_000; doc++) {
      index.add(doc, Uint32Array.of(0xffff_ffff, doc), Float32Array.of(1, 1));
    }
    expect(index.documentFrequency(0xffff_ffff, null)).toBe(50_000);
    const scores = scoresOf(index, 0xffff_ffff, 50_000);
    expect(scores.every((score) => score === 2)).toBe(true);
    expect(index.documentFrequency(49_999, null)).toBe(1);
  });
});
