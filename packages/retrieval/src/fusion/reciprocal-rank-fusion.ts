export interface FusionOptions<T> {
  /** Identity of an item: items with equal keys are the same. */
  readonly key: (item: T) => string;
  /** Reduces the influence of the first ranks. Default 60, as in the paper. */
  readonly k?: number;
  /** One weight per list. Default 1 for each. */
  readonly weights?: readonly number[];
}

export interface FusedItem<T> {
  /** The item from the first list that contains it. */
  readonly item: T;
  /** Σ weight / (k + rank), rank from 1. */
  readonly score: number;
}

const DEFAULT_K = 60;

/**
 * Fuses rankings by rank. Their scores need not be comparable, such as those of two embedding spaces
 * (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet", SIGIR 2009). Ties keep the
 * order of first appearance, list by list. A repeated item of a list counts at its first rank.
 *
 * @throws RangeError if `weights` does not have one finite, non-negative weight per list
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

function assertWeights(weights: readonly number[], lists: number): void {
  if (weights.length !== lists || weights.some((weight) => !(weight >= 0 && weight < Infinity))) {
    throw new RangeError(`expected ${lists} finite, non-negative weights, got [${weights.join(', ')}]`);
  }
}
