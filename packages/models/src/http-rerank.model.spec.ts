import { describe, expect, it } from '@jest/globals';
import { readScores } from './http-rerank.model.js';

const cohere = (...scores: [index: number, score: unknown][]): object => ({
  results: scores.map(([index, score]) => ({ index, relevance_score: score })),
});
const tei = (...scores: [index: number, score: unknown][]): object[] =>
  scores.map(([index, score]) => ({ index, score }));

describe('readScores', () => {
  it.each([
    ['of Cohere and Jina AI, best first', cohere([1, 0.9], [0, 0.2]), [0.2, 0.9]],
    ['of Text Embeddings Inference, best first', tei([1, 0.9], [0, 0.2]), [0.2, 0.9]],
    ['0 and 1', cohere([0, 0], [1, 1]), [0, 1]],
    ['logits', cohere([1, 0], [0, -700]), [0, 0.5]],
  ])('reads scores: %s', (_, response, scores) => {
    expect(readScores(response, 2)).toEqual(scores.map((score) => expect.closeTo(score)));
  });

  it.each([
    ['no list', { error: 'secret' }],
    ['nothing', null],
    ['too few', cohere([0, 1])],
    ['too many', cohere([0, 1], [1, 1], [2, 1])],
    ['an index twice', cohere([0, 1], [0, 1])],
    ['an index outside of the texts', tei([0, 1], [2, 1])],
    ['an index that is no number', { results: [{ relevance_score: 1 }, { relevance_score: 1 }] }],
    ['a score that is no number', cohere([0, 1], [1, null])],
  ])('refuses %s', (_, response) => {
    expect(() => readScores(response, 2)).toThrow(
      expect.objectContaining({ kind: 'transient', message: expect.not.stringContaining('secret') }),
    );
  });
});
