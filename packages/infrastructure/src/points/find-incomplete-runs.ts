import type { DoctorRepository, RunFacts } from '@citewell/database';
import type { VectorStore } from '@citewell/vector-store';
import { hasExpectedPoints, type StoredRun } from './compare-points.js';
import { listServingRuns } from './list-serving-runs.js';

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
