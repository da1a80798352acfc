import { RRF_K } from './vector-store.port.js';

export interface FusedEntry<K> {
  readonly key: K;
  /** The fused score. */
  readonly score: number;
  /** Score in each leg, in the order of the legs; `undefined` if the leg does not contain the entry. */
  readonly legScores: readonly (number | undefined)[];
}

/**
 * Reciprocal rank fusion: Σ 1 / (k + rank) over the legs. Ranks start at 0, as in Qdrant.
 * Ties keep the order of the legs.
 * @param legs rankings, each with its best entry first
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
