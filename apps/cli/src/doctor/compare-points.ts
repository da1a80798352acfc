import type { RunFacts } from '@citewell/database';

/** A run as the vector store has it: how many points in which space. */
export interface StoredRun {
  runId: string;
  organizationId: string;
  pointsBySpace: Map<string, number>;
}

export interface PointDifferences {
  /** Points that nothing refers to: their run does not exist, or neither serves nor is under way. */
  orphans: StoredRun[];
  /** Runs that serve and have not exactly the points that were counted, in exactly their space. */
  incomplete: RunFacts[];
  /** None of the stored runs is known here: the store belongs to another database. */
  isForeign: boolean;
}

/**
 * Compares what the vector store has with what the database says.
 *
 * @param stored every run that has points
 * @param known what the database says of those runs
 * @param serving every run that serves
 */
export function comparePoints(
  stored: ReadonlyMap<string, StoredRun>,
  known: ReadonlyMap<string, RunFacts>,
  serving: Iterable<RunFacts>,
): PointDifferences {
  const orphans = [...stored.values()].filter((run) => isOrphan(known.get(run.runId)));
  const incomplete = [...serving].filter((run) => !hasItsPoints(run, stored.get(run.runId)));
  return { orphans, incomplete, isForeign: stored.size > 0 && known.size === 0 };
}

/** Points of a purged run may still be there while the purge is on its way. */
export function isOrphan(facts: RunFacts | undefined): boolean {
  return facts === undefined || facts.role === 'retired';
}

/** Exactly the points that were counted, in the run's space and in no other. */
export function hasItsPoints(facts: RunFacts, stored: StoredRun | undefined): boolean {
  const found = [...(stored?.pointsBySpace ?? [])].filter(([, points]) => points > 0);
  if (facts.chunks === 0) return found.length === 0;
  const [first] = found;
  return found.length === 1 && first !== undefined && first[0] === facts.space && first[1] === facts.chunks;
}
