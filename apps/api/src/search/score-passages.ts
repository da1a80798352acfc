import { type CosineScale, QuestionCoverage, reciprocalRankFusion, relevanceOf } from '@citewell/retrieval';
import type { FoundPassage } from './retriever.service.js';

/** Bonus for a passage with all words of the question. The best score is 1, so it decides between nearly equal passages. */
const COVERAGE_BONUS = 0.05;

/**
 * Merges the rankings of several spaces, and replaces the scores of the search by relevance: 0..1, in descending order. A
 * passage that is ranked below another one has at most the relevance of that passage.
 *
 * @param rankings one for each space, best passage first. Their scores cannot be compared, so they are merged by rank
 * @param scale the scale of the model's cosines; null if the search was by words only
 */
export function scorePassages(
  question: string,
  rankings: readonly (readonly FoundPassage[])[],
  scale: CosineScale | null,
): FoundPassage[] {
  const questionCoverage = new QuestionCoverage(question);
  const lists = rankings.map((ranking) => {
    const best = ranking[0]?.score ?? 0;
    return ranking
      .map((passage) => {
        const coverage = questionCoverage.of(`${passage.header}\n${passage.text}`);
        const share = best > 0 ? passage.score / best : 0;
        return { passage, coverage, rankedBy: share + COVERAGE_BONUS * coverage };
      })
      .sort((a, b) => b.rankedBy - a.rankedBy);
  });
  let ceiling = 1;
  return reciprocalRankFusion(lists, { key: ({ passage }) => passage.id }).map(({ item }) => {
    const { passage, coverage } = item;
    const { lexical: bm25 = 0, dense = 0 } = passage.legs;
    const similarity = scale?.similarity(dense);
    ceiling = Math.min(ceiling, relevanceOf({ coverage, bm25, similarity }));
    return { ...passage, score: ceiling };
  });
}
