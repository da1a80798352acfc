import type { RunFacts } from '@citewell/database';

/** A run in the vector store: the number of its points in each space. */
export interface StoredRun {
  runId: string;
  organizationId: string;
  pointsBySpace: Map<string, number>;
}

export interface PointDifferences {
  /**
   * Runs with points that are no longer used: the run does not exist, or is neither serving nor unfinished.
   */
  orphans: StoredRun[];
  /** True if the database knows none of the stored runs: the store probably belongs to another database. */
  isForeign: boolean;
}

/**
 * Compares the vector store with the database.
 *
 * @param stored every run with points in the vector store
 * @param known the database's facts about these runs
 */
export function comparePoints(
  stored: ReadonlyMap<string, StoredRun>,
  known: ReadonlyMap<string, RunFacts>,
): PointDifferences {
  const orphans = [...stored.values()].filter((run) => isOrphan(known.get(run.runId)));
  return { orphans, isForeign: stored.size > 0 && known.size === 0 };
}

/** A run that waits for its purge (`going`) may still have points. It is not an orphan. */
export function isOrphan(facts: RunFacts | undefined): boolean {
  return facts === undefined || facts.role === 'retired';
}

/** Whether the run has exactly the counted number of points, all of them in its space. */
export function hasExpectedPoints(facts: RunFacts, stored: StoredRun | undefined): boolean {
  const found = [...(stored?.pointsBySpace ?? [])].filter(([, points]) => points > 0);
  if (facts.chunks === 0) return found.length === 0;
  const [first] = found;
  return found.length === 1 && first !== undefined && first[0] === facts.space && first[1] === facts.chunks;
}
