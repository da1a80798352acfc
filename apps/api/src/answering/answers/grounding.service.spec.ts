import { analyze, AnalyzedQuestion, termId } from '@citewell/retrieval';
import { expect, it } from '@jest/globals';
import type { PreparedAnswer } from './answer-preparation.service.js';
import { AnswerWriter } from './answer-writer.service.js';
import { Search } from '../search/search.service.js';
import { Grounding, listedPassages } from './grounding.service.js';

/** The passages that the retriever finds. */
const SCORES = [0.9, 0.5, 0.2, 0.01];
const NO_CHANGES = { recent: async () => new Map<string, Date>() };
const NO_OVERVIEW = { find: async () => null };
const NO_QUERIES = { offer: async () => null };
const NO_TABLES = { find: async () => [] };
/** A chat model that is not asked here. */
const model = {};

interface Settings {
  model?: object;
  minScore?: number;
  restrictToSources?: boolean;
  topK?: number;
}

it.each<[Settings, object, number[], boolean]>([
  // The settings of the agent and of the query, the scores of the passages, and whether the agent abstains
  [{}, {}, [0.9, 0.5], false],
  [{ minScore: 0 }, {}, [0.9, 0.5, 0.2, 0.01], false],
  [{ minScore: 0.91 }, {}, [], true],
  [{ minScore: 0.91, restrictToSources: false }, {}, [], false],
  [{ minScore: 0.91 }, { minScore: null }, [], true],
  [{ minScore: 0.91 }, { minScore: 0.9 }, [0.9], false],
  [{ minScore: 0.91 }, { minScore: 0 }, [0.9, 0.5, 0.2, 0.01], false],
  [{ topK: 1 }, {}, [0.9], false],
  [{ topK: 1 }, { topK: 2 }, [0.9, 0.5], false],
  [{ model }, {}, [0.9, 0.5, 0.2], false],
  [{ model }, { minScore: null }, [0.9, 0.5, 0.2], false],
  [{ model }, { minScore: 0.5 }, [0.9, 0.5], false],
  [{ model, minScore: 0.6 }, {}, [0.9], false],
  [{ model, minScore: 0.02 }, {}, [0.9, 0.5, 0.2], false],
  [{ model, restrictToSources: false }, {}, [0.9, 0.5], false],
])(
  'an agent with %j and a query with %j uses %j',
  async ({ model: chatModel, ...settings }, fields, scores, isAbstained) => {
    const retriever = {
      retrieve: async (
        _tenant: unknown,
        _datastores: unknown,
        _question: unknown,
        { limit }: { limit: number },
      ) => {
        const run = { datasourceId: 'd' };
        const all = SCORES.map((score) => ({
          id: String(score),
          text: String(score),
          score,
          terms: [],
          run,
        }));
        return all.slice(0, limit);
      },
    };
    const none = {} as never;
    const search = new Search(retriever as never, none, { of: async () => null }, none, none, none);
    const grounding = new Grounding(search, NO_OVERVIEW, NO_TABLES, NO_QUERIES, NO_CHANGES, {
      reach: () => undefined,
    });
    // Grounding reads no other fields.
    const prepared = {
      tenant: {},
      agent: { topK: 12, minScore: 0.5, restrictToSources: true, ...settings },
      datastores: [{}],
      model: chatModel ?? null,
      query: fields,
      question: new AnalyzedQuestion('Where is herring salted?'),
      prompts: { system: '', user: '{context}' },
      history: [],
    } as unknown as PreparedAnswer;
    const found = await grounding.find(prepared, new AbortController().signal);
    expect(found.passages.map(({ score }) => score)).toEqual(scores);
    expect(found.isAbstained).toBe(isAbstained);
  },
);

it.each(['Thanks!', 'Vielen Dank', 'Hi', '谢谢', 'Merci, bonne journée !'])(
  'does not search for %j',
  async (text) => {
    const grounding = new Grounding({} as never, NO_OVERVIEW, NO_TABLES, NO_QUERIES, NO_CHANGES, {
      reach: () => undefined,
    });
    // Grounding reads no other fields.
    const prepared = {
      tenant: {},
      agent: { restrictToSources: true },
      datastores: [{}],
      query: { query: text },
      question: new AnalyzedQuestion(text),
      prompts: { system: '', user: '{context}' },
      history: [],
    } as unknown as PreparedAnswer;
    const found = await grounding.find(prepared, new AbortController().signal);
    expect(found).toMatchObject({ passages: [], questions: [], isAbstained: true });
  },
);

it('asks the tables once for an answer', async () => {
  const run = { datasourceId: 'd', datasourceName: 'orders.csv', revision: 1 };
  const text = '1001 | Huber';
  const passage = { id: '1', runId: 'r', text, start: 0, end: text.length, score: 0.2, terms: [], run };
  const tables = {
    asked: 0,
    find: async () => {
      tables.asked += 1;
      const condition = { column: 'Customer', position: 2, texts: ['Huber'], numbers: [], ranges: [] };
      const result = { name: 'orders.csv', conditions: [condition], count: 1, header: ['Order', 'Customer'] };
      const rest = {
        rows: [['1001', 'Huber']],
        figures: [],
        mixed: [],
        unread: [],
        undated: [],
        unused: [],
        others: [],
        hasTotals: false,
      };
      return [
        {
          runId: 'r',
          table: { id: 1, name: 'Orders', sheet: null, page: null },
          result: { ...result, ...rest },
          ranges: [{ start: 0, end: text.length }],
        },
      ];
    },
  };
  const none = {} as never;
  const retriever = {
    retrieve: async () => [{ ...passage, header: '', headingPath: [], page: null }],
    havingTerms: async () => [],
  };
  const search = new Search(retriever as never, none, { of: async () => null }, none, none, none);
  const grounding = new Grounding(search, NO_OVERVIEW, tables, NO_QUERIES, NO_CHANGES, {
    reach: () => undefined,
  });
  // Nothing else is read here.
  const prepared = {
    tenant: {},
    agent: { topK: 12, minScore: 0.5, restrictToSources: true },
    datastores: [{}],
    model: null,
    query: {},
    question: new AnalyzedQuestion('How many orders of Huber?'),
    prompts: { system: '', user: '{context}' },
    history: [],
    visitorToken: null,
  } as unknown as PreparedAnswer;
  const { signal } = new AbortController();
  const found = await grounding.find(prepared, signal);
  const writer = new AnswerWriter(none, tables, none, { CONTEXT_TOKENS: 1_000 } as never, none);
  let answer = '';
  const onText = async (piece: string): Promise<void> => void (answer += piece);
  await writer.write(
    prepared,
    found,
    { onText, onPassages: () => undefined, onRetract: () => undefined },
    signal,
  );
  expect(answer).toContain('counted in the documents or quoted from them.\n\n**1 row** of orders.csv');
  expect(tables.asked).toBe(1);
});

const COURSES = [
  'Fencing takes place on Friday at six.',
  'Chess takes place on Friday at six.',
  'Yoga takes place on Monday at six.',
  'Cooking takes place on Friday at six.',
];

it.each<[question: string, texts: string[], listed: number[]]>([
  ['List all courses on Friday.', COURSES, [0, 1, 3]],
  // A question for a single thing that is not there.
  ['Which courses are on Friday?', COURSES, []],
  // Two words are missing.
  ['List all outdoor courses on Friday.', COURSES, []],
  ['List all courses on Sunday.', COURSES, []],
  ['List all courses on Monday.', COURSES, []],
  // Texts that only name the day.
  [
    'List all courses on Friday.',
    ['We close early on Friday.', 'Good Friday is a holiday.', 'The Friday report lists sales.'],
    [],
  ],
])('%s', (text, texts, listed) => {
  const question = new AnalyzedQuestion(text);
  const asked = [...question.weights.keys()];
  const passages = texts.map((passage) => {
    const words = new Set(analyze(passage));
    return { text: passage, terms: asked.filter((term) => words.has(term)).map(termId) };
  });
  expect(listedPassages(question, passages).map((passage) => passages.indexOf(passage))).toEqual(listed);
});
