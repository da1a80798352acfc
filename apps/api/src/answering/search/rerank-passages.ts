import type { FoundPassage } from './retriever.service.js';

/** A passage in the order of a rerank model. */
export interface RankedPassage extends FoundPassage {
  /** Score of the rerank model, 0..1; absent if it did not score the passage. */
  rerankScore?: number;
}

/**
 * Orders passages by the scores of a rerank model. Equal scores keep their order.
 *
 * The relevance stays with the rank: the n-th passage gets the relevance of the passage that was the n-th before. Scores of
 * rerank models are not calibrated, so they do not change how relevant the best passage is, nor how many are relevant.
 *
 * @param passages best passage first, with descending relevance
 * @param scores of the first passages. Passages without a score follow in their order
 */
export function rerankPassages(
  passages: readonly FoundPassage[],
  scores: readonly number[],
): RankedPassage[] {
  const ranked = scores
    .flatMap((rerankScore, index): (FoundPassage & { rerankScore: number })[] => {
      const passage = passages[index];
      return passage ? [{ ...passage, rerankScore }] : [];
    })
    .sort((a, b) => b.rerankScore - a.rerankScore);
  return [...ranked, ...passages.slice(scores.length)].map((passage, rank) => ({
    ...passage,
    score: passages[rank]?.score ?? 0,
  }));
}
