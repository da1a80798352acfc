import type { DoctorRepository, RunFacts, ServingRun } from '@citewell/database';
import type { VectorStore } from '@citewell/vector-store';

const RUNS_PER_QUERY = 500;

/** Every run with points, by its id. */
export async function scanStoredRuns(vectorStore: VectorStore): Promise<Map<string, StoredRun>> {
  const stored = new Map<string, StoredRun>();
  for (const space of await vectorStore.listSpaces()) {
    for await (const { runId, organizationId, points } of vectorStore.scanRuns(space)) {
      const run = stored.get(runId) ?? { runId, organizationId, pointsBySpace: new Map<string, number>() };
      run.pointsBySpace.set(space.name, (run.pointsBySpace.get(space.name) ?? 0) + points);
      stored.set(runId, run);
    }
  }
  return stored;
}

/** Counts the points of one run in all spaces. */
export async function countStoredPoints(
  vectorStore: VectorStore,
  { runId, organizationId }: Pick<StoredRun, 'runId' | 'organizationId'>,
): Promise<StoredRun> {
  const counts = (await vectorStore.listSpaces()).map(
    async (space) => [space.name, await vectorStore.count(space, { organizationId, runId })] as const,
  );
  return { runId, organizationId, pointsBySpace: new Map(await Promise.all(counts)) };
}

/**
 * Serving runs whose points are not all in the vector store, or that have too many. The store and the database may
 * change meanwhile: each difference is checked a second time.
 *
 * @param stored every run with points
 */
export async function findIncompleteRuns(
  vectorStore: VectorStore,
  doctor: Pick<DoctorRepository, 'runs' | 'servingRuns'>,
  stored: ReadonlyMap<string, StoredRun>,
): Promise<RunFacts[]> {
  const incomplete: RunFacts[] = [];
  for await (const run of listServingRuns(doctor)) {
    if (hasExpectedPoints(run, stored.get(run.runId))) continue;
    const now = (await doctor.runs([run.runId])).get(run.runId);
    if (now?.role === 'serves' && !hasExpectedPoints(now, await countStoredPoints(vectorStore, now)))
      incomplete.push(now);
  }
  return incomplete;
}

/** Iterates over every serving run. */
export async function* listServingRuns(
  doctor: Pick<DoctorRepository, 'servingRuns'>,
): AsyncGenerator<ServingRun> {
  let after: string | null = null;
  for (;;) {
    const page: ServingRun[] = await doctor.servingRuns(after, RUNS_PER_QUERY);
    yield* page;
    after = page.at(-1)?.runId ?? null;
    if (page.length < RUNS_PER_QUERY) return;
  }
}

/** A run in the vector store: the number of its points in each space. */
export interface StoredRun {
  runId: string;
  organizationId: string;
  pointsBySpace: Map<string, number>;
}

interface PointDifferences {
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
