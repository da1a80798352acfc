export interface FusionOptions<T> {
  /** What makes two items the same. */
  readonly key: (item: T) => string;
  /** Dampens the first ranks; 60 by default, as in the paper. */
  readonly k?: number;
  /** One weight a list, 1 by default. */
  readonly weights?: readonly number[];
}

export interface FusedItem<T> {
  /** The item as it stands in the first list that has it. */
  readonly item: T;
  /** Σ weight / (k + rank), ranks counted from 1. */
  readonly score: number;
}

const DEFAULT_K = 60;

/**
 * Joins rankings whose scores cannot be compared, such as those of two embedding spaces, by rank alone
 * (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet", SIGIR 2009). Ties keep the
 * order of first appearance, list by list; an item twice in one list counts at its first place.
 *
 * @throws RangeError when `weights` has not one finite, non-negative weight for each list.
 */
export function reciprocalRankFusion<T>(
  lists: readonly (readonly T[])[],
  { key, k = DEFAULT_K, weights }: FusionOptions<T>,
): FusedItem<T>[] {
  if (weights !== undefined) assertWeights(weights, lists.length);
  const fused = new Map<string, { item: T; score: number }>();
  for (const [listIndex, list] of lists.entries()) {
    const weight = weights?.[listIndex] ?? 1;
    const seen = new Set<string>();
    for (const item of list) {
      const id = key(item);
      if (seen.has(id)) continue;
      seen.add(id);
      const entry = fused.get(id) ?? { item, score: 0 };
      entry.score += weight / (k + seen.size);
      fused.set(id, entry);
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score);
}

/** The score of an item that leads every list: what a fused score is measured against. */
export function maximumFusedScore(weights: readonly number[], k = DEFAULT_K): number {
  return weights.reduce((sum, weight) => sum + weight, 0) / (k + 1);
}

function assertWeights(weights: readonly number[], lists: number): void {
  if (weights.length !== lists || weights.some((weight) => !(weight >= 0 && weight < Infinity))) {
    throw new RangeError(`expected ${lists} finite, non-negative weights, got [${weights.join(', ')}]`);
  }
}
