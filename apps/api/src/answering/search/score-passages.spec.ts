import { AnalyzedQuestion, CosineScale, encodeDocumentTerms } from '@citewell/retrieval';
import { describe, expect, it } from '@jest/globals';
import type { FoundPassage } from './retriever.service.js';
import { scorePassages } from './score-passages.js';

// Only the fields that scoring reads: not the text.
function found(id: string, text: string, score: number, legs: FoundPassage['legs'] = {}): FoundPassage {
  return { id, score, legs, terms: encodeDocumentTerms(text).indices } as unknown as FoundPassage;
}
/** Cosines as they are. */
const scale = CosineScale.of([]);
const QUESTION = new AnalyzedQuestion('Is it important to import modules?');
const idsOf = (passages: readonly FoundPassage[]): string[] => passages.map(({ id }) => id);

describe('scorePassages', () => {
  it('replaces scores by relevance, in descending order', () => {
    const ranking = [
      found('similar', 'loading code', 1, { dense: 0.85 }),
      found('relevant', 'important modules to import', 0.8, { lexical: 9, dense: 0.95 }),
      found('unrelated', 'penguins', 0.1, { dense: 0.1 }),
    ];
    const scored = scorePassages(QUESTION, [{ passages: ranking, scale }]);
    expect(idsOf(scored)).toEqual(['similar', 'relevant', 'unrelated']);
    const [similar, relevant, unrelated] = scored.map(({ score }) => score);
    expect(relevant).toBe(similar);
    expect(similar).toBeGreaterThan(0.5);
    expect(unrelated).toBeLessThan(0.01);
  });

  it('prefers the passage with more words of the question among equals', () => {
    const ranking = [
      found('one word', 'modules, modules', 5),
      found('all words', 'important modules to import', 5),
    ];
    expect(idsOf(scorePassages(QUESTION, [{ passages: ranking, scale: null }]))).toEqual([
      'all words',
      'one word',
    ]);
  });

  it('orders by the background, and keeps the relevance of the question', () => {
    const passages = [
      found('both', 'to save memory, use a sparse matrix', 7, { lexical: 7 }),
      found('question', 'save memory', 6, { lexical: 6 }),
      found('background', 'a sparse matrix', 5, { lexical: 5 }),
    ];
    const background = 'My matrix is sparse.';
    const score = (context?: { background: string }): [string, number][] =>
      scorePassages(new AnalyzedQuestion('save memory', context), [{ passages, scale: null }]).map(
        ({ id, score: relevance }) => [id, relevance],
      );
    const [both, question, other] = score({ background });
    expect([both?.[0], question?.[0], other?.[0]]).toEqual(['both', 'question', 'background']);
    // "question" is first without the background.
    expect(both?.[1]).toBeCloseTo(score()[1]?.[1] ?? 0);
    expect(other?.[1]).toBeLessThan(0.5);
  });

  it('merges the rankings of spaces by relevance', () => {
    const scored = scorePassages(QUESTION, [
      {
        passages: [found('all words', 'important modules to import', 9), found('none', 'b', 8)],
        scale: null,
      },
      { passages: [found('similar', 'c', 0.3, { dense: 0.5 })], scale },
    ]);
    expect(idsOf(scored)).toEqual(['all words', 'similar', 'none']);
    expect(scored.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
  });

  it('finds a number by words where a neural model has not found it', () => {
    const passages = [found('number', 'spare part ZX-4711', 1, { lexical: 1.5 })];
    const [scored] = scorePassages(new AnalyzedQuestion('ZX-4711'), [{ passages, scale, isNeural: true }]);
    expect(scored?.score).toBeGreaterThan(0.5);
  });

  it('returns nothing for no passages', () => expect(scorePassages(QUESTION, [])).toEqual([]));
});
