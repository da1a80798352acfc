import { expect, it } from '@jest/globals';
import type { Agent } from '@citewell/sdk';
import { agentLines, type Condition, type Field, filtersOf } from './search-conditions.js';

const condition = (field: Field, value: string, key = ''): Condition => ({ field, key, value });

it.each<[name: string, conditions: Condition[], datasourceId: string | null, filters: unknown]>([
  ['nothing', [], null, undefined],
  ['a document', [], 'd1', { datasource_ids: ['d1'] }],
  [
    'names are alternatives',
    [condition('name', 'A.pdf'), condition('name', ' B.pdf ')],
    null,
    { names: ['A.pdf', 'B.pdf'] },
  ],
  [
    'kinds',
    [condition('type', 'file'), condition('type', 'web_page')],
    null,
    { types: ['file', 'web_page'] },
  ],
  ['no kind', [condition('type', 'constructor')], null, undefined],
  [
    'dates must both be met',
    [condition('after', '2024-01-01'), condition('after', '2025-01-01'), condition('before', '2026-02-01')],
    null,
    { created_after: '2025-01-01', created_before: '2026-02-01' },
  ],
  [
    'metadata may be a text, a number or a truth',
    [
      condition('metadata', '2024', 'year'),
      condition('metadata', 'it', 'team'),
      condition('metadata', 'hr', 'team'),
      condition('metadata', 'true', 'draft'),
    ],
    null,
    { metadata: { year: ['2024', 2024], team: ['it', 'hr'], draft: ['true', true] } },
  ],
  [
    'what is not complete is left out',
    [condition('name', ' '), condition('metadata', 'it')],
    null,
    undefined,
  ],
])('%s', (_, conditions, datasourceId, filters) =>
  expect(filtersOf(conditions, datasourceId)).toEqual(filters),
);

// Only the fields that decide what an agent reads.
const agent = (name: string, minScore: number, topK = 12, datastoreIds = ['d']): Agent =>
  ({ name, minScore, topK, datastoreIds }) as Agent;
const passages = [
  [1, 0.9],
  [2, 0.6],
  [30, 0.55],
  [31, 0.01],
].map(([rank = 0, score = 0]) => ({ overall: { rank, score } }));

it.each<[string, Agent[], [number, (string | null)[]][]]>([
  ['ends at the minimum relevance and at the number of passages', [agent('A', 0.5)], [[2, ['A']]]],
  ['is one line for agents that read the same', [agent('A', 0.5), agent('B', 0.6)], [[2, ['A', 'B']]]],
  ['is above all passages of which none is read', [agent('A', 0.95)], [[0, ['A']]]],
  [
    'differs by agent, the highest first',
    [agent('A', 0, 100), agent('B', 0.5, 1)],
    [
      [1, ['B']],
      [4, ['A']],
    ],
  ],
  ['is that of the usual settings without an agent', [agent('A', 0, 100, ['other'])], [[2, [null]]]],
])('the line of an agent %s', (_, agents, expected) => {
  const lines = agentLines(passages, agents, 'd');
  expect(lines.map(({ count, readers }) => [count, readers.map(({ name }) => name)])).toEqual(expected);
});

it('an agent reads no passage that is not among the first of all', () => {
  expect(agentLines([{ overall: null }], [agent('A', 0)], 'd')).toMatchObject([{ count: 0 }]);
});
