import { type AnalyzedQuestion, type CosineScale, QuestionCoverage, relevanceOf } from '@citewell/retrieval';
import type { FoundPassage } from './retriever.service.js';

/** Bonus for a passage with all words of the question. The best score is 1, so it decides between nearly equal passages. */
const COVERAGE_BONUS = 0.05;

/** What the search of one space has found. */
export interface Ranking {
  /** Best first. */
  readonly passages: readonly FoundPassage[];
  /** The scale of the model's cosines; null if the space was searched by words only. */
  readonly scale: CosineScale | null;
  /** See `EmbeddingModel.isNeural`. */
  readonly isNeural?: boolean;
}

/**
 * Replaces the scores of the search by relevance: 0..1, in descending order. A passage that is ranked below another one of
 * its space has at most the relevance of that passage. Scores of different spaces cannot be compared, relevance can: it
 * merges them.
 */
export function scorePassages(question: AnalyzedQuestion, rankings: readonly Ranking[]): FoundPassage[] {
  const questionCoverage = new QuestionCoverage(question);
  return rankings
    .flatMap((ranking) => scoreRanking(questionCoverage, ranking))
    .sort((a, b) => b.score - a.score);
}

function scoreRanking(
  questionCoverage: QuestionCoverage,
  { passages, scale, isNeural = false }: Ranking,
): FoundPassage[] {
  const best = passages[0]?.score ?? 0;
  const ranked = passages
    .map((passage) => {
      const coverage = questionCoverage.of(passage.terms);
      const share = best > 0 ? passage.score / best : 0;
      return { passage, coverage, rankedBy: share + COVERAGE_BONUS * coverage };
    })
    .sort((a, b) => b.rankedBy - a.rankedBy);
  let ceiling = 1;
  return ranked.map(({ passage, coverage }) => {
    const { lexical: bm25 = 0 } = passage.legs;
    const similarity = scale ? similarityOf(passage, scale) : undefined;
    ceiling = Math.min(ceiling, relevanceOf({ coverage, bm25, similarity, isNeural }));
    return { ...passage, score: ceiling };
  });
}

/** A passage that only the search by words has found counts as unrelated in meaning. */
function similarityOf({ legs: { dense } }: FoundPassage, scale: CosineScale): number {
  return dense === undefined ? 0 : scale.similarity(dense);
}
