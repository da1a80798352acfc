import { maximumFusedScore } from './reciprocal-rank-fusion.js';

/** Unit of a raw score: BM25, cosine similarity, or sum of reciprocal ranks. */
export type ScoreKind = 'lexical' | 'dense' | 'fused';

/** The BM25 score that maps to 0.5: about two rare terms in a datastore of a few thousand chunks. */
const LEXICAL_HALF = 10;
const DEFAULT_MAXIMUM_FUSED = maximumFusedScore([1, 1]);

/**
 * Maps a raw score to 0..1: lexical `s / (s + 10)`, dense `max(0, cosine)`, fused `s / maximum`. The result
 * does not depend on the other hits of a ranking, so a poor best hit has a low score. Monotone in `raw`; NaN
 * maps to 0.
 *
 * @param maximum highest possible fused score. Default: that of two lists with k = 60 and weights of 1. It
 *   differs for a store that counts ranks from 0.
 */
export function normaliseScore(kind: ScoreKind, raw: number, maximum = DEFAULT_MAXIMUM_FUSED): number {
  if (Number.isNaN(raw) || raw <= 0) return 0;
  switch (kind) {
    case 'lexical':
      return raw === Infinity ? 1 : raw / (raw + LEXICAL_HALF);
    case 'dense':
      return Math.min(1, raw);
    case 'fused':
      return maximum > 0 ? Math.min(1, raw / maximum) : 0;
  }
}

/**
 * Normalises the scores of a ranking and makes them descend: a hit that a later stage (reranking, fusion)
 * ranked below another one gets at most the score of that hit.
 */
export function normaliseScores(kind: ScoreKind, raws: readonly number[], maximum?: number): number[] {
  let ceiling = 1;
  return raws.map((raw) => (ceiling = Math.min(ceiling, normaliseScore(kind, raw, maximum))));
}
