import type { RunFacts } from '@citewell/database';
import {
  comparePoints,
  countStoredPoints,
  findIncompleteRuns,
  isOrphan,
  scanStoredRuns,
  type StoredRun,
} from '@citewell/infrastructure';
import { type CheckContext, type Finding, findingsFor } from './check.js';

/** Runs per database query. */
const BATCH_SIZE = 1_000;

/**
 * Checks that the vector store contains all points of every serving run, and no orphaned points.
 *
 * The store and the database may change during the check. Each difference is therefore checked a second time,
 * and is a finding only if it still exists.
 */
export async function checkPoints(context: CheckContext): Promise<Finding[]> {
  const { vectorStore, doctor } = context;
  const stored = await scanStoredRuns(vectorStore);
  const known = await fetchRunFacts(context, [...stored.keys()]);
  const differences = comparePoints(stored, known);
  const orphans = await filterAsync(differences.orphans, async (run) => {
    const { pointsBySpace } = await countStoredPoints(vectorStore, run);
    return (
      [...pointsBySpace.values()].some((points) => points > 0) &&
      isOrphan((await doctor.runs([run.runId])).get(run.runId))
    );
  });
  const incomplete = await findIncompleteRuns(vectorStore, doctor, stored);

  return [
    ...findingsFor(
      'runs with orphaned points',
      orphans,
      (run) => run.runId,
      resolutionForOrphans(context, differences.isForeign),
    ),
    ...findingsFor('serving runs with a wrong number of points', incomplete, (run) => run.runId, {
      repair: (runs) => rebuild(context, runs),
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

async function rebuild({ rebuilds }: CheckContext, runs: readonly RunFacts[]): Promise<string> {
  await rebuilds.start(runs);
  return 'They are being indexed again. Run "citewell doctor" again when this is finished.';
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
