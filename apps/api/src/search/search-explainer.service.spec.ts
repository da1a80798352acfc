import type { VisibleRun } from '@citewell/database';
import { AnalyzedQuestion } from '@citewell/retrieval';
import { expect, it } from '@jest/globals';
import type { FoundPassage } from './retriever.service.js';
import { explainRankings } from './search-explainer.service.js';

// Only the fields that a query item has.
const run = {
  runId: 'r',
  datasourceId: 'd',
  datasourceName: 'n',
  customId: null,
  sourceUrl: null,
} as VisibleRun;

function passage(id: string, text: string, legs: FoundPassage['legs']): FoundPassage {
  // The other fields of a point are not shown.
  return {
    id,
    text,
    header: 'Sea',
    headingPath: [],
    page: null,
    contentHash: id,
    legs,
    run,
  } as unknown as FoundPassage;
}

it('shows the rank and the raw score of each leg, also for passages that only one leg has found', () => {
  const kelp = 'Kelp is harvested.';
  const tides = 'Tides are high.';
  const both = { ...passage('both', kelp, {}), rerankScore: 0.8 };
  const explanation = explainRankings(
    [new AnalyzedQuestion('sea kelp')],
    {
      passages: [both, passage('meaning only', tides, {})],
      words: [passage('both', kelp, { lexical: 7.5 })],
      meaning: [passage('meaning only', tides, { dense: 0.9 }), passage('both', kelp, { dense: 0.4 })],
    },
    1,
  );
  expect(explanation.terms).toEqual(['sea', 'kelp']);
  expect(explanation.passages).toMatchObject([
    {
      words: { rank: 1, score: 7.5 },
      meaning: { rank: 2, score: 0.4 },
      rerank_score: 0.8,
      matched_terms: ['sea', 'kelp'],
    },
    { words: null, meaning: { rank: 1, score: 0.9 }, rerank_score: null, matched_terms: ['sea'] },
  ]);
  expect([explanation.words.length, explanation.meaning?.length]).toEqual([1, 1]);
});

it('shows the words that are searched, which function words are not', () => {
  const { terms } = explainRankings(
    [new AnalyzedQuestion('How do I dry kelp?')],
    { passages: [], words: [], meaning: null },
    1,
  );
  expect(terms).toEqual(['dri', 'kelp']);
});

it('shows the words of each question of a message', () => {
  const { terms } = explainRankings(
    ['How do I dry kelp?', 'Where is the sea?'].map((question) => new AnalyzedQuestion(question)),
    { passages: [], words: [], meaning: null },
    1,
  );
  expect(terms).toEqual(['dri', 'kelp', 'sea']);
});
