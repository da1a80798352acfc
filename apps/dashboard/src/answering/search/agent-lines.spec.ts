import type { Agent } from '@citewell/sdk';
import { expect, it } from '@jest/globals';
import { agentLines } from './agent-lines.js';

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
