import { type RunFacts, TenantScope } from '@citewell/database';
import { comparePoints, hasItsPoints, isOrphan, type StoredRun } from './compare-points.js';
import { type Finding, findingOf, type Patient } from './finding.js';
import { servingRuns } from './serving-runs.js';

const BATCH = 1_000;

/**
 * The vector store has the points of what serves, all of them, and none that nothing refers to.
 *
 * Neither the store nor the database stands still meanwhile, so what looks wrong is looked at a second time by
 * itself: only what is wrong both times is a finding.
 */
export async function checkPoints(patient: Patient): Promise<Finding[]> {
  const spaces = await patient.vectorStore.listSpaces();
  const stored = await scan(patient);
  const known = await factsOf(patient, [...stored.keys()]);
  const serving: RunFacts[] = [];
  for await (const run of servingRuns(patient)) serving.push(run);
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
        [space.name, await patient.vectorStore.count(space, { organizationId, runId })] as const,
    );
    return { runId, organizationId, pointsBySpace: new Map(await Promise.all(counts)) };
  };
  const orphans = await confirmed(differences.orphans, async (run) => {
    const { pointsBySpace } = await recount(run);
    return (
      [...pointsBySpace.values()].some((points) => points > 0) &&
      isOrphan((await patient.doctor.runs([run.runId])).get(run.runId))
    );
  });
  const incomplete = await confirmed(differences.incomplete, async (run) => {
    const now = (await patient.doctor.runs([run.runId])).get(run.runId);
    return now?.role === 'serves' && !hasItsPoints(now, await recount(run));
  });

  return [
    ...findingOf(
      'runs have points that nothing refers to',
      orphans,
      (run) => run.runId,
      removal(patient, differences.isForeign),
    ),
    ...findingOf('serving runs have not the points that were counted', incomplete, (run) => run.runId, {
      repair: (runs) => indexAnew(patient, runs),
    }),
  ];
}

function removal(patient: Patient, isForeign: boolean) {
  if (isForeign && !patient.force) {
    return {
      advice:
        'Nothing in the vector store is known to this database. If they do belong together, use --force.',
    };
  }
  return { repair: (runs: readonly StoredRun[]) => removePoints(patient, runs) };
}

async function removePoints({ vectorStore, purges }: Patient, runs: readonly StoredRun[]): Promise<string> {
  for (const { organizationId, runId } of runs) await vectorStore.deleteRun({ organizationId, runId });
  await purges.pointsGone(runs.map((run) => run.runId));
  return 'their points are deleted';
}

async function indexAnew({ datasources }: Patient, runs: readonly RunFacts[]): Promise<string> {
  for (const { organizationId, datasourceId } of runs) {
    await datasources.sync(new TenantScope(organizationId), datasourceId, 'reindex');
  }
  return 'they are being indexed anew; look again when that is done';
}

async function scan({ vectorStore }: Patient): Promise<Map<string, StoredRun>> {
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

async function factsOf({ doctor }: Patient, runIds: readonly string[]): Promise<Map<string, RunFacts>> {
  const facts = new Map<string, RunFacts>();
  for (let from = 0; from < runIds.length; from += BATCH) {
    for (const [id, run] of await doctor.runs(runIds.slice(from, from + BATCH))) facts.set(id, run);
  }
  return facts;
}

async function confirmed<Item>(
  items: readonly Item[],
  isStill: (item: Item) => Promise<boolean>,
): Promise<Item[]> {
  const kept: Item[] = [];
  for (const item of items) if (await isStill(item)) kept.push(item);
  return kept;
}
