import type { EvaluationOutcome, EvaluationQuestion } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { measureQuestion } from './answer-key.js';
import { compareSides, summarizeSide } from './summarize-outcomes.js';

const right = { text: 'kelp', datasourceId: 'd', datasourceName: 'n' };
const wrong = { ...right, text: 'tide' };
const question: EvaluationQuestion = { question: 'q', expected: ['kelp'] };

describe('the measures of a question', () => {
  it('are those of the ranking, of the citations and of the refusal if it has an answer', () => {
    const asked = { passages: [wrong, right], cited: [wrong], refused: false };
    expect(measureQuestion(question, asked)).toEqual({
      rank: 2,
      values: {
        recallAt1: 0,
        recallAt3: 1,
        recallAt10: 1,
        mrr: 0.5,
        ndcgAt10: 1 / Math.log2(3),
        citedRight: 0,
        wronglyRefused: 0,
      },
    });
  });

  it('count an abstention as no right citation, and lack citations if no answer was written', () => {
    const refusedOne = measureQuestion(question, { passages: [right], cited: [], refused: true });
    expect(refusedOne.values).toMatchObject({ citedRight: 0, wronglyRefused: 1, recallAt1: 1 });
    const searched = measureQuestion(question, { passages: [], cited: null, refused: true });
    expect(searched).toMatchObject({ rank: null, values: { mrr: 0 } });
    expect(searched.values.citedRight).toBeUndefined();
  });

  it('are whether the agent abstained if it has none', () => {
    const asked = { passages: [wrong], cited: [], refused: true };
    expect(measureQuestion({ question: 'q', answerable: false }, asked)).toEqual({
      rank: null,
      values: { recognised: 1 },
    });
  });
});

/** `hits` of `count` questions are answered right; the others are refused. */
function outcomes(hits: number, count: number, recognised = 0): EvaluationOutcome[] {
  const answered = Array.from({ length: count }, (_, index) => {
    const isHit = index < hits;
    const asked = { passages: isHit ? [right] : [wrong], cited: isHit ? [right] : [], refused: !isHit };
    return { score: isHit ? 0.9 : 0.3, refused: !isHit, passages: [], ...measureQuestion(question, asked) };
  });
  const others = Array.from({ length: 10 }, (_, index) => {
    const refused = index < recognised;
    const measured = measureQuestion(
      { question: 'q', answerable: false },
      { passages: [], cited: [], refused },
    );
    return { score: refused ? 0.1 : 0.8, refused, passages: [], ...measured };
  });
  return [...answered, ...others];
}

it('a summary has each measure with its interval, and proposes a minimum score', () => {
  const { measures, proposedMinScore, curve } = summarizeSide({
    outcomes: outcomes(30, 30, 6),
    minScore: 0.5,
  });
  expect(measures.citedRight).toMatchObject({ value: 1, high: 1, count: 30 });
  expect(measures.recognised).toMatchObject({ value: 0.6, count: 10 });
  expect(proposedMinScore).toEqual({ minScore: 0.85, refused: 0, recognised: 1 });
  expect(curve).toHaveLength(101);
});

it('a measure that no question has is null, not 0', () => {
  expect(summarizeSide({ outcomes: [], minScore: 0.5 }).measures.recognised).toBeNull();
});

describe('a comparison', () => {
  it('finds no difference between equal results', () => {
    const { verdict, differences } = compareSides(outcomes(20, 30, 5), outcomes(20, 30, 5));
    expect(verdict).toBe('no-difference');
    expect(differences.citedRight).toMatchObject({ value: 0, p: 1, isSignificant: false });
  });

  it('is worse if twelve more questions are refused', () => {
    const { verdict, differences } = compareSides(outcomes(18, 30), outcomes(30, 30));
    expect(verdict).toBe('worse');
    expect(differences.wronglyRefused).toMatchObject({ value: 0.4, isSignificant: true });
  });

  it('is better the other way round', () => {
    expect(compareSides(outcomes(30, 30), outcomes(18, 30)).verdict).toBe('better');
  });

  it('is worse even if another measure is better', () => {
    expect(compareSides(outcomes(18, 30, 10), outcomes(30, 30, 0)).verdict).toBe('worse');
  });

  it('is no alarm for three lost questions of 30', () => {
    expect(compareSides(outcomes(27, 30), outcomes(30, 30)).verdict).toBe('no-difference');
  });
});
