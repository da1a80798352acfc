import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TopCandidates } from './top-candidates.js';

describe('TopCandidates', () => {
  it('keeps the same documents as sorting by score, then by number', () => {
    const scores = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 });
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 20 }), fc.boolean(), (values, capacity, backwards) => {
        const all = values.map((score, doc) => ({ doc, score }));
        const best = new TopCandidates(capacity);
        for (const { doc, score } of backwards ? all.toReversed() : all) best.offer(doc, score);
        const sorted = all.toSorted((a, b) => b.score - a.score || a.doc - b.doc);
        expect(best.ranked()).toEqual(sorted.slice(0, capacity));
      }),
    );
  });
});
