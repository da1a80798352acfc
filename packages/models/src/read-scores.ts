import { ModelError } from './model.error.js';
import { property } from './property.js';

/**
 * Validates and reads a response of a rerank endpoint: `{results: [{index, relevance_score}]}` of Cohere and Jina AI, or
 * `[{index, score}]` of Text Embeddings Inference, in any order.
 *
 * llama.cpp returns logits. If a score of the response is outside of 0..1, all are mapped by the logistic function.
 *
 * @param count number of texts in the request
 * @returns one score per text, 0..1, in the order of the texts
 * @throws ModelError `transient` for an incomplete or malformed response
 */
export function readScores(response: unknown, count: number): number[] {
  const entries = Array.isArray(response) ? response : property(response, 'results');
  if (!Array.isArray(entries)) throw malformed('it has no list of scores');
  if (entries.length !== count) throw malformed(`it has ${entries.length} scores for ${count} texts`);
  const scores: number[] = Array.from({ length: count }, () => NaN);
  for (const entry of entries) {
    const index = property(entry, 'index');
    if (typeof index !== 'number' || !Number.isNaN(scores[index]))
      throw malformed('the indexes of its scores are wrong');
    const score = property(entry, 'relevance_score') ?? property(entry, 'score');
    if (typeof score !== 'number') throw malformed('a score is not a number');
    scores[index] = score;
  }
  return scores.every((score) => score >= 0 && score <= 1) ? scores : scores.map(logistic);
}

function logistic(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

function malformed(reason: string): ModelError {
  return new ModelError('transient', `The response of the rerank provider is malformed: ${reason}.`);
}
