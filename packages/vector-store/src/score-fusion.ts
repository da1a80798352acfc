import { DEFAULT_DENSE_WEIGHT, type Hit, type SearchQuery, type SparseVector } from './vector-store.port.js';

/** A point that one leg has found. */
export interface Candidate<K> {
  readonly key: K;
  readonly score: number;
}

/** The candidates of each leg of a search, best first. A leg that was not searched is absent. */
export interface LegCandidates<K> {
  readonly lexical?: readonly Candidate<K>[] | undefined;
  readonly dense?: readonly Candidate<K>[] | undefined;
}

/** A candidate with the scores of its hit. */
export interface RankedCandidate<K> extends Pick<Hit, 'score' | 'scoring' | 'legs'> {
  readonly key: K;
}

/** The legs of a query that can find a point: one with terms, and one with a vector that is not zero. */
export function searchedLegs({ lexical, dense }: SearchQuery): {
  readonly lexical?: SparseVector;
  readonly dense?: Float32Array;
} {
  return {
    ...(lexical !== undefined && lexical.indices.length > 0 && { lexical }),
    ...(dense?.some((value) => value !== 0) === true && { dense }),
  };
}

/** The best `limit` candidates of one leg, or of both legs by their fused scores. */
export function rankCandidates<K>(
  { lexical, dense }: LegCandidates<K>,
  { limit, denseWeight = DEFAULT_DENSE_WEIGHT }: Pick<SearchQuery, 'limit' | 'denseWeight'>,
): RankedCandidate<K>[] {
  if (lexical && dense) return fuseScores(lexical, dense, denseWeight).slice(0, limit);
  const scoring = lexical ? 'lexical' : 'dense';
  const leg = lexical ?? dense ?? [];
  return leg.slice(0, limit).map(({ key, score }) => ({ key, score, scoring, legs: { [scoring]: score } }));
}

/**
 * Fuses two legs by a convex combination of their scores (Bruch, Gai and Ingber, "An Analysis of Fusion
 * Functions for Hybrid Retrieval", TOIS 2023): `denseWeight × dense + (1 − denseWeight) × lexical`, 0..1. A BM25 score is
 * divided by the best one. Cosines are scaled so that the best candidate has 1 and the last one 0; if all are equal, each
 * has 1. A candidate that a leg lacks has 0 there. Ties keep the order of the legs, lexical first.
 */
function fuseScores<K>(
  lexical: readonly Candidate<K>[],
  dense: readonly Candidate<K>[],
  denseWeight: number,
): RankedCandidate<K>[] {
  const fused = new Map<K, { score: number; legs: { lexical?: number; dense?: number } }>();
  const add = (
    name: 'lexical' | 'dense',
    leg: readonly Candidate<K>[],
    weight: number,
    lowest: number,
  ): void => {
    const scale = scaleFrom(lowest, leg[0]?.score ?? 0);
    for (const { key, score } of leg) {
      const entry = fused.get(key) ?? { score: 0, legs: {} };
      entry.score += weight * scale(score);
      entry.legs[name] = score;
      fused.set(key, entry);
    }
  };
  // BM25 is 0 for a chunk without a term of the question. No cosine has such a meaning.
  add('lexical', lexical, 1 - denseWeight, 0);
  add('dense', dense, denseWeight, dense.at(-1)?.score ?? 0);
  return Array.from(fused, ([key, entry]) => ({ key, ...entry, scoring: 'fused' as const })).sort(
    (a, b) => b.score - a.score,
  );
}

/** Scales scores from their range to 0..1. */
function scaleFrom(lowest: number, highest: number): (score: number) => number {
  const range = highest - lowest;
  return (score) => (range > 0 ? 1 - (highest - score) / range : 1);
}

/** The ids of `asked` that are among the term ids of a point, in the order of `asked`. */
export function commonTerms(asked: readonly number[], ofPoint: Iterable<number>): number[] {
  const present = new Set(ofPoint);
  return asked.filter((term) => present.has(term));
}
