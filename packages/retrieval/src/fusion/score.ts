import { maximumFusedScore } from './rank-fusion.js';

/** What a raw score is: a BM25 sum, a cosine, or a sum of reciprocal ranks. */
export type ScoreKind = 'lexical' | 'dense' | 'fused';

/** The BM25 score that counts as one half: about two rare terms matched well in a datastore of some thousand chunks. */
const LEXICAL_HALF = 10;
const DEFAULT_MAXIMUM_FUSED = maximumFusedScore([1, 1]);

/**
 * A score in 0..1, measured against what is possible and not against the best of its list, so a poor best hit
 * has a low score: lexical `s / (s + 10)`, dense `max(0, cosine)`, fused over its maximum. Monotone in `raw`;
 * NaN is 0.
 *
 * @param maximum the highest fused score that can occur; two lists with k 60 and weights 1 by default. A store
 *   that counts ranks from 0 has another one.
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
 * The scores of a whole ranking, never rising down the list: a hit that a later stage (reranking, fusion) put
 * below another takes at most that one's score.
 */
export function normaliseScores(kind: ScoreKind, raws: readonly number[], maximum?: number): number[] {
  let ceiling = 1;
  return raws.map((raw) => (ceiling = Math.min(ceiling, normaliseScore(kind, raw, maximum))));
}
