import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CosineScale, marginOf, relevanceOf, RELEVANT } from './relevance.js';

describe('relevanceOf', () => {
  it.each([
    ['most words, rare ones', { coverage: 0.8, bm25: 8 }, true],
    ['half of the words, in a datastore of one document', { coverage: 0.5, bm25: 0.3 }, true],
    ['few words, common ones', { coverage: 0.4, bm25: 3 }, false],
    ['few words, rare ones', { coverage: 0.4, bm25: 14 }, true],
    ['most words and a similar meaning', { coverage: 0.8, bm25: 5, similarity: 0.4 }, true],
    [
      'most words in another form, in a datastore of one document',
      { coverage: 0.8, bm25: 0.3, similarity: 0.1 },
      true,
    ],
    ['some words and another meaning', { coverage: 0.6, bm25: 5, similarity: 0 }, false],
    [
      'half of the words and the meaning, in a datastore of one document',
      { coverage: 0.5, bm25: 0.3, similarity: 0.5 },
      true,
    ],
    ['no word, but the same meaning', { coverage: 0, bm25: 0, similarity: 0.75 }, true],
    ['no word and a related meaning', { coverage: 0, bm25: 0, similarity: 0.4 }, false],
    [
      'a third of the words and the meaning, by a neural model',
      { coverage: 0.3, bm25: 5, similarity: 0.6, isNeural: true },
      true,
    ],
    [
      'a number, of which a neural model knows nothing',
      { coverage: 1, bm25: 1.5, similarity: 0, isNeural: true },
      true,
    ],
    [
      'most words and another meaning, by a neural model',
      { coverage: 0.8, bm25: 8, similarity: 0.15, isNeural: true },
      false,
    ],
  ])('judges a hit with %s', (_, evidence, isRelevant) => {
    expect(relevanceOf(evidence) >= RELEVANT).toBe(isRelevant);
  });

  it('can be turned back into the distance from a threshold', () => {
    expect(marginOf(RELEVANT)).toBe(0);
    // Words alone, half of them: the threshold of the coverage is 0.49.
    expect(marginOf(relevanceOf({ coverage: 0.55, bm25: 0 }))).toBeCloseTo(0.06);
  });

  it('is in 0..1 and never falls when evidence is added', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        share,
        share,
        fc.double({ min: 0, max: 50, noNaN: true }),
        share,
        (a, b, bm25, similarity) => {
          const [low, high] = [Math.min(a, b), Math.max(a, b)];
          for (const rest of [{ bm25 }, { bm25, similarity }, { bm25, similarity, isNeural: true }]) {
            const [weak, strong] = [
              relevanceOf({ coverage: low, ...rest }),
              relevanceOf({ coverage: high, ...rest }),
            ];
            expect(weak).toBeLessThanOrEqual(strong);
            expect(weak).toBeGreaterThanOrEqual(0);
            expect(strong).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });
});

describe('CosineScale', () => {
  it('maps the mean cosine of unrelated texts to 0, and 1 to 1', () => {
    // Cosines 0.6, 0.6 and 0.36.
    const scale = CosineScale.of([
      Float32Array.of(5, 0, 0),
      Float32Array.of(3, 4, 0),
      Float32Array.of(3, 0, 4),
    ]);
    expect(scale.similarity((0.6 + 0.6 + 0.36) / 3)).toBeCloseTo(0);
    expect(scale.similarity(1)).toBeCloseTo(1);
    expect(scale.similarity(0)).toBeLessThan(0);
  });

  it('keeps cosines if no unrelated texts have vectors', () =>
    expect(CosineScale.of([new Float32Array(3), new Float32Array(3)]).similarity(0.4)).toBeCloseTo(0.4));
});
