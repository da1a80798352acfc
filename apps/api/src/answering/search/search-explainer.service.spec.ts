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

function passage(id: string, text: string, legs: FoundPassage['legs'], score = 0): FoundPassage {
  // The other fields of a point are not shown.
  return {
    id,
    text,
    header: 'Sea',
    headingPath: [],
    page: null,
    contentHash: id,
    legs,
    score,
    run,
  } as unknown as FoundPassage;
}

it('shows the rank and the raw score of each leg, also for passages that only one leg has found', () => {
  const kelp = 'Kelp is harvested.';
  const tides = 'Tides are high.';
  const both = { ...passage('both', kelp, {}), rerankScore: 0.8 };
  const meaning = [passage('meaning only', tides, { dense: 0.9 }), passage('both', kelp, { dense: 0.4 })];
  const words = [passage('both', kelp, { lexical: 7.5 })];
  const passages = [both, passage('meaning only', tides, {})];
  const explanation = explainRankings(
    [new AnalyzedQuestion('sea kelp')],
    {
      passages,
      whole: passages,
      words: { whole: words, found: words },
      meaning: { whole: meaning, found: meaning },
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
      missing_terms: [],
    },
    {
      words: null,
      meaning: { rank: 1, score: 0.9 },
      rerank_score: null,
      matched_terms: ['sea'],
      missing_terms: ['kelp'],
    },
  ]);
  expect([explanation.words.length, explanation.meaning?.length]).toEqual([1, 1]);
});

it('shows ranks and relevance among all passages, although only those of one document are listed', () => {
  const asked = passage('asked', 'Tides.', { lexical: 0.2 }, 0.3);
  const better = ['a', 'b'].map((id) => passage(id, 'Kelp.', { lexical: 5 }, 0.9));
  const explanation = explainRankings(
    [new AnalyzedQuestion('sea kelp')],
    {
      // Within its document, the passage is the best one.
      passages: [{ ...asked, score: 0.4 }],
      whole: [...better, asked],
      words: { whole: [...better, asked], found: [asked] },
      meaning: { whole: better, found: [asked] },
    },
    5,
  );
  expect(explanation.passages).toMatchObject([
    { score: 0.4, overall: { rank: 3, score: 0.3 }, words: { rank: 3, score: 0.2 }, meaning: null },
  ]);
  expect(explanation.words.map(({ words }) => words?.rank)).toEqual([3]);
});

it('counts a word of the name of a document as matched, because names are searched', () => {
  const invoice = passage('invoice', 'The amount is due.', {});
  const [explained] = explainRankings(
    [new AnalyzedQuestion('invoice 10042 for kelp')],
    {
      passages: [{ ...invoice, run: { ...run, datasourceName: 'Invoice_10042.pdf' } }],
      whole: [],
      words: { whole: [], found: [] },
      meaning: null,
    },
    5,
  ).passages;
  expect(explained).toMatchObject({ matched_terms: ['invoic', '10042'], missing_terms: ['kelp'] });
});

it('shows the words that are searched, which function words are not', () => {
  const { terms } = explainRankings(
    [new AnalyzedQuestion('How do I dry kelp?')],
    { passages: [], whole: [], words: { whole: [], found: [] }, meaning: null },
    1,
  );
  expect(terms).toEqual(['dri', 'kelp']);
});

it('shows the words of each question of a message', () => {
  const { terms } = explainRankings(
    ['How do I dry kelp?', 'Where is the sea?'].map((question) => new AnalyzedQuestion(question)),
    { passages: [], whole: [], words: { whole: [], found: [] }, meaning: null },
    1,
  );
  expect(terms).toEqual(['dri', 'kelp', 'sea']);
});
