import { RRF_K } from './vector-store.port.js';

/** A fused entry with the score each leg gave it, in the order of the legs; `undefined` where a leg did not have it. */
export interface FusedEntry<K> {
  readonly key: K;
  readonly score: number;
  readonly legScores: readonly (number | undefined)[];
}

/**
 * Reciprocal rank fusion: Σ 1 / (k + rank) over the legs, rank from 0, as Qdrant counts it. Ties keep the order of the
 * legs.
 * @param legs each with its best entry first
 */
export function fuseByReciprocalRank<K>(
  legs: readonly (readonly { key: K; score: number }[])[],
  limit: number,
): FusedEntry<K>[] {
  const fused = new Map<K, { score: number; legScores: (number | undefined)[] }>();
  legs.forEach((leg, legNumber) => {
    leg.forEach(({ key, score }, rank) => {
      const entry = fused.get(key) ?? { score: 0, legScores: legs.map(() => undefined) };
      entry.score += 1 / (RRF_K + rank);
      entry.legScores[legNumber] = score;
      fused.set(key, entry);
    });
  });
  return Array.from(fused, ([key, entry]) => ({ key, ...entry }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}
