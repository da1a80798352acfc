import { expect, it } from '@jest/globals';
import { rerankPassages } from './rerank-passages.js';
import type { FoundPassage } from './retriever.service.js';

/** Relevance before reranking, best first. */
const PASSAGES = { a: 0.9, b: 0.6, c: 0.6, d: 0.2 };
// Only the fields that reranking reads.
const passages = Object.entries(PASSAGES).map(([id, score]) => ({ id, score }) as FoundPassage);

it.each<[string, number[], string, (number | undefined)[]]>([
  ['orders by score', [0.1, 0.2, 0.3, 0.4], 'dcba', [0.4, 0.3, 0.2, 0.1]],
  ['keeps the order of equal scores', [0.5, 0, 0.5, 0], 'acbd', [0.5, 0.5, 0, 0]],
  ['keeps passages without a score behind the others', [0, 1], 'bacd', [1, 0, undefined, undefined]],
  ['keeps the order without scores', [], 'abcd', Array<undefined>(4).fill(undefined)],
])('%s, and leaves the relevance with the rank', (_, scores, order, rerankScores) => {
  const ranked = rerankPassages(passages, scores);
  expect(ranked.map(({ id }) => id).join('')).toBe(order);
  expect(ranked.map(({ rerankScore }) => rerankScore)).toEqual(rerankScores);
  expect(ranked.map(({ score }) => score)).toEqual(Object.values(PASSAGES));
});
