/**
 * Relevance judgements: maps ids to their grade. Grades of 0 and below mean not relevant.
 *
 * The metrics below are computed like in trec_eval. A `ranking` lists ids, best first; a repeated id counts
 * at its first rank. All results are in 0..1, and 0 if no id is relevant.
 */
export type Gains = ReadonlyMap<string, number>;

/**
 * Normalised discounted cumulative gain of the first `k` ids: Σ gain / log2(rank + 1), divided by that of the
 * ideal ranking (Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002).
 */
export function ndcgAt(k: number, ranking: readonly string[], gains: Gains): number {
  const ideal = [...gains.values()].filter((gain) => gain > 0).sort((a, b) => b - a);
  const best = discounted(ideal.slice(0, k));
  if (best === 0) return 0;
  return (
    discounted(
      withoutRepeats(ranking)
        .slice(0, k)
        .map((id) => Math.max(0, gains.get(id) ?? 0)),
    ) / best
  );
}

/**
 * Mean of the precision at the rank of each relevant id. Relevant ids that are missing count as 0. Source:
 * Manning, Raghavan and Schütze, "Introduction to Information Retrieval", 2008, §8.4.
 */
export function averagePrecision(ranking: readonly string[], gains: Gains): number {
  const relevant = relevantCount(gains);
  if (relevant === 0) return 0;
  let found = 0;
  let sum = 0;
  withoutRepeats(ranking).forEach((id, index) => {
    if (!isRelevantId(id, gains)) return;
    found++;
    sum += found / (index + 1);
  });
  return sum / relevant;
}

/** Share of all relevant ids that are among the first `k`. */
export function recallAt(k: number, ranking: readonly string[], gains: Gains): number {
  const relevant = relevantCount(gains);
  if (relevant === 0) return 0;
  return (
    withoutRepeats(ranking)
      .slice(0, k)
      .filter((id) => isRelevantId(id, gains)).length / relevant
  );
}

/** 1 if a relevant id is among the first `k`, else 0. */
export function hitAt(k: number, ranking: readonly string[], gains: Gains): number {
  return withoutRepeats(ranking)
    .slice(0, k)
    .some((id) => isRelevantId(id, gains))
    ? 1
    : 0;
}

/** 1 / rank of the first relevant id; 0 without one (Voorhees, TREC-8 question answering track, 1999). */
export function reciprocalRank(ranking: readonly string[], gains: Gains): number {
  const index = withoutRepeats(ranking).findIndex((id) => isRelevantId(id, gains));
  return index < 0 ? 0 : 1 / (index + 1);
}

function withoutRepeats(ranking: readonly string[]): string[] {
  return [...new Set(ranking)];
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}

function isRelevantId(id: string, gains: Gains): boolean {
  return (gains.get(id) ?? 0) > 0;
}

function relevantCount(gains: Gains): number {
  return [...gains.values()].filter((gain) => gain > 0).length;
}
