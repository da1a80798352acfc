import type { RunFacts } from '@citewell/database';
import type { CheckContext } from './check.js';
import { comparePoints, hasExpectedPoints, isOrphan, type StoredRun } from './compare-points.js';
import { type Finding, findingsFor } from './finding.js';
import { listServingRuns } from './list-serving-runs.js';

/** Runs per database query. */
const BATCH_SIZE = 1_000;

/**
 * Checks that the vector store contains all points of every serving run, and no orphaned points.
 *
 * The store and the database may change during the check. Each difference is therefore checked a second time,
 * and is a finding only if it still exists.
 */
export async function checkPoints(context: CheckContext): Promise<Finding[]> {
  const spaces = await context.vectorStore.listSpaces();
  const stored = await scanStoredRuns(context);
  const known = await fetchRunFacts(context, [...stored.keys()]);
  const serving: RunFacts[] = [];
  for await (const run of listServingRuns(context)) serving.push(run);
  const differences = comparePoints(stored, known, serving);

  const recount = async ({
    runId,
    organizationId,
  }: {
    runId: string;
    organizationId: string;
  }): Promise<StoredRun> => {
    const counts = spaces.map(
      async (space) =>
        [space.name, await context.vectorStore.count(space, { organizationId, runId })] as const,
    );
    return { runId, organizationId, pointsBySpace: new Map(await Promise.all(counts)) };
  };
  const orphans = await filterAsync(differences.orphans, async (run) => {
    const { pointsBySpace } = await recount(run);
    return (
      [...pointsBySpace.values()].some((points) => points > 0) &&
      isOrphan((await context.doctor.runs([run.runId])).get(run.runId))
    );
  });
  const incomplete = await filterAsync(differences.incomplete, async (run) => {
    const now = (await context.doctor.runs([run.runId])).get(run.runId);
    return now?.role === 'serves' && !hasExpectedPoints(now, await recount(run));
  });

  return [
    ...findingsFor(
      'runs with orphaned points',
      orphans,
      (run) => run.runId,
      resolutionForOrphans(context, differences.isForeign),
    ),
    ...findingsFor('serving runs with a wrong number of points', incomplete, (run) => run.runId, {
      repair: (runs) => reindex(context, runs),
    }),
  ];
}

function resolutionForOrphans(context: CheckContext, isForeign: boolean) {
  if (isForeign && !context.force) {
    return {
      advice:
        'The database knows no run of this vector store. If the two belong together, use --repair --force.',
    };
  }
  return { repair: (runs: readonly StoredRun[]) => removePoints(context, runs) };
}

async function removePoints(
  { vectorStore, purges }: CheckContext,
  runs: readonly StoredRun[],
): Promise<string> {
  for (const { organizationId, runId } of runs) await vectorStore.deleteRun({ organizationId, runId });
  await purges.forgetPoints(runs.map((run) => run.runId));
  return 'The points are deleted.';
}

async function reindex({ datasources }: CheckContext, runs: readonly RunFacts[]): Promise<string> {
  // Without the model's vectors first: these follow, as for a new document.
  await datasources.reindex(
    runs.map(({ datasourceId }) => datasourceId),
    'indexing',
  );
  return 'They are being indexed again. Run "citewell doctor" again when this is finished.';
}

async function scanStoredRuns({ vectorStore }: CheckContext): Promise<Map<string, StoredRun>> {
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

async function fetchRunFacts(
  { doctor }: CheckContext,
  runIds: readonly string[],
): Promise<Map<string, RunFacts>> {
  const facts = new Map<string, RunFacts>();
  for (let from = 0; from < runIds.length; from += BATCH_SIZE) {
    for (const [id, run] of await doctor.runs(runIds.slice(from, from + BATCH_SIZE))) facts.set(id, run);
  }
  return facts;
}

async function filterAsync<Item>(
  items: readonly Item[],
  predicate: (item: Item) => Promise<boolean>,
): Promise<Item[]> {
  const kept: Item[] = [];
  for (const item of items) if (await predicate(item)) kept.push(item);
  return kept;
}
