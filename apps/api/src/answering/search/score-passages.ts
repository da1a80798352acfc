import {
  type AnalyzedQuestion,
  type CosineScale,
  ofSameSubject,
  QuestionCoverage,
  relevanceOf,
} from '@citewell/retrieval';
import { DEFAULT_DENSE_WEIGHT } from '@citewell/vector-store';
import type { FoundPassage } from './retriever.service.js';

/** Bonus for a passage with all words of the question. The best score is 1, so it decides between nearly equal passages. */
const COVERAGE_BONUS = 0.15;

/** What the search of one space has found. */
export interface Ranking {
  /** Best first. */
  readonly passages: readonly FoundPassage[];
  /** The scale of the model's cosines; null if the space was searched by words only. */
  readonly scale: CosineScale | null;
  /** See `EmbeddingModel.isNeural`. */
  readonly isNeural?: boolean;
  /** That of the search. */
  readonly denseWeight?: number | undefined;
}

/** A passage with what it has of the question alone, without the background of the message. */
interface Judged {
  readonly passage: FoundPassage;
  readonly coverage: number;
  readonly bm25: number;
}

/** The least coverage of the question's own words, or similarity, of a passage that has the subject of an earlier question. */
const OWN_COVERAGE = 0.5;
const OWN_SIMILARITY = 0.2;
/** Passages whose coverage is that near to the best one answer equally well. */
const EQUAL_COVERAGE = 0.02;

/**
 * Replaces the scores of the search by relevance: 0..1, in descending order. A passage that is ranked below another one of
 * its space has at most the relevance of that passage. Scores of different spaces cannot be compared, relevance can: it
 * merges them.
 *
 * The background of a message orders passages, but does not count for relevance: the n-th passage has the relevance that the
 * n-th one has without the background.
 *
 * Earlier questions of the conversation decide between passages that cover the question equally, and name the subject that a
 * pronoun stands for. They make no passage relevant that has nothing of the question itself.
 */
export function scorePassages(question: AnalyzedQuestion, rankings: readonly Ranking[]): FoundPassage[] {
  const found = rankings.flatMap(({ passages }) => passages.flatMap(({ terms }) => terms));
  const questionCoverage = new QuestionCoverage(question, found);
  const isFollowUp = question.earlier.length > 0;
  const scored = rankings
    .flatMap((ranking) => scoreRanking(questionCoverage, ranking, isFollowUp))
    .sort((a, b) => b.score - a.score);
  const [best] = scored;
  // What has all but the word that the question negates says the opposite in another word.
  const withOpposites = scored.map((passage) =>
    questionCoverage.lacksOnlyNegated(passage.terms)
      ? { ...passage, score: Math.max(passage.score, best?.score ?? 0) }
      : passage,
  );
  const ranked = withOpposites.sort((a, b) => b.score - a.score);
  return isFollowUp ? subjectFirst(ranked, questionCoverage) : ranked;
}

/** Passages about another subject that cover the question equally have at most the score of those about the subject. */
function subjectFirst(passages: readonly FoundPassage[], coverage: QuestionCoverage): FoundPassage[] {
  const coverages = new Map(passages.map((passage) => [passage, coverage.withSubject(passage.terms)]));
  const most = Math.max(0, ...coverages.values());
  const equal = passages.filter((passage) => (coverages.get(passage) ?? 0) >= most - EQUAL_COVERAGE);
  const same = ofSameSubject(equal, ({ terms }) => coverage.earlierShares(terms));
  const ceiling = Math.max(...same.map(({ score }) => score));
  const others = passages
    .filter((passage) => !same.includes(passage))
    .map((passage) =>
      equal.includes(passage) ? { ...passage, score: Math.min(passage.score, ceiling) } : passage,
    );
  return [...same, ...others].sort((a, b) => b.score - a.score);
}

function scoreRanking(
  questionCoverage: QuestionCoverage,
  ranking: Ranking,
  isFollowUp: boolean,
): FoundPassage[] {
  const judged = ranking.passages.map((passage) => ({
    passage,
    coverage: questionCoverage.of(passage.terms),
    bm25: bm25Of(passage) * questionCoverage.ownShare(passage.terms),
  }));
  const bySearch = inOrder(judged, ({ passage }) => passage.score);
  const withoutBackground = judged.some(({ passage, bm25 }) => bm25 !== bm25Of(passage))
    ? inOrder(judged, ownScores(judged, ranking))
    : bySearch;
  const ranked = isFollowUp ? withoutBackground : bySearch;
  let ceiling = 1;
  const relevances = withoutBackground.map(({ passage, coverage, bm25 }) => {
    const similarity = ranking.scale ? similarityOf(passage, ranking.scale) : undefined;
    const evidence = { bm25, similarity, isNeural: ranking.isNeural ?? false };
    const isOwn = coverage >= OWN_COVERAGE || (similarity ?? 0) >= OWN_SIMILARITY;
    const withSubject = isOwn ? questionCoverage.withSubject(passage.terms) : coverage;
    return (ceiling = Math.min(ceiling, relevanceOf({ coverage: withSubject, ...evidence })));
  });
  return ranked.map(({ passage }, rank) => ({ ...passage, score: relevances[rank] ?? 0 }));
}

/** Best first, by the share of the best score and by coverage. */
function inOrder(judged: readonly Judged[], scoreOf: (one: Judged) => number): Judged[] {
  const best = Math.max(0, ...judged.map(scoreOf));
  const rankedBy = (one: Judged): number =>
    (best > 0 ? scoreOf(one) / best : 0) + COVERAGE_BONUS * one.coverage;
  return judged.toSorted((a, b) => rankedBy(b) - rankedBy(a));
}

/** The scores of the search with the BM25 scores of the question alone; see `fuseScores` of the vector store. */
function ownScores(
  judged: readonly Judged[],
  { denseWeight = DEFAULT_DENSE_WEIGHT }: Ranking,
): (one: Judged) => number {
  const best = Math.max(...judged.map(({ passage }) => bm25Of(passage)));
  const ownBest = Math.max(...judged.map(({ bm25 }) => bm25));
  return ({ passage, bm25 }) => {
    if (passage.scoring !== 'fused') return bm25;
    const own = ownBest > 0 ? bm25 / ownBest : 0;
    return passage.score + (1 - denseWeight) * (own - bm25Of(passage) / best);
  };
}

function bm25Of({ legs }: FoundPassage): number {
  return legs.lexical ?? 0;
}

/** A passage that only the search by words has found counts as unrelated in meaning. */
function similarityOf({ legs: { dense } }: FoundPassage, scale: CosineScale): number {
  return dense === undefined ? 0 : scale.similarity(dense);
}
