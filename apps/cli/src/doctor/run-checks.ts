import {
  type ContradictoryDatasource,
  findRowProblems,
  ROW_PROBLEMS,
  type RunFacts,
  STUCK_AFTER_SECONDS,
  TenantScope,
} from '@citewell/database';
import {
  comparePoints,
  countStoredPoints,
  findIncompleteRuns,
  isOrphan,
  scanStoredRuns,
  type StoredRun,
} from '@citewell/infrastructure';
import { checkBlobs } from './blobs.check.js';
import { type Check, type CheckContext, type Finding, findingsFor } from './check.js';

/** Runs per database query. */
const BATCH_SIZE = 1_000;

/**
 * Checks that the vector store contains all points of every serving run, and no orphaned points.
 *
 * The store and the database may change during the check. Each difference is therefore checked a second time,
 * and is a finding only if it still exists.
 */
async function checkPoints(context: CheckContext): Promise<Finding[]> {
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

const idOf = ({ id }: { id: string }): string => id;

/** Checks that the tables do not contradict each other, and that no run or purge is stuck. */
async function checkRows({ doctor, datasources }: CheckContext): Promise<Finding[]> {
  const repairStatus = async (found: readonly ContradictoryDatasource[]): Promise<string> => {
    for (const datasource of found) {
      if (datasource.serves) {
        await doctor.correctStatus(datasource);
      } else {
        await doctor.forgetServingRun(datasource);
        await datasources.sync(
          new TenantScope(datasource.organizationId, null, null, 'all'),
          datasource.id,
          'sync',
        );
      }
    }
    return 'A datasource with a serving run is now synched. A datasource without one is synchronized again.';
  };
  const problems = await findRowProblems(doctor, null);
  return [
    ...findingsFor(ROW_PROBLEMS.wrongStatus, problems.wrongStatus, idOf, {
      repair: repairStatus,
    }),
    ...findingsFor(ROW_PROBLEMS.wrongCount, problems.wrongCount, idOf, {
      repair: async (found) => {
        for (const { id } of found) await doctor.recountStorage(id);
        return 'The counts are corrected.';
      },
    }),
    ...findingsFor(ROW_PROBLEMS.stuckRuns, problems.stuckRuns, idOf, {
      repair: async (found) => {
        await doctor.releaseRuns(found.map(idOf), STUCK_AFTER_SECONDS);
        return 'They are released and wait for a worker.';
      },
    }),
    ...findingsFor(ROW_PROBLEMS.overduePurges, problems.overduePurges, idOf, {
      repair: async (found) => {
        await doctor.makePurgesDue(found.map(idOf));
        return 'They are due now.';
      },
    }),
    ...findingsFor(ROW_PROBLEMS.unpurged, problems.unpurged, idOf, {
      repair: async (found) => {
        await doctor.addPurges(found);
        return 'The purges are created.';
      },
    }),
  ];
}

export interface CheckResult {
  /** Name of the check, as the report shows it. */
  name: string;
  findings: readonly FindingResult[];
}

export interface FindingResult extends Omit<Finding, 'repair'> {
  isRepairable: boolean;
  /** What the repair did; null if there was no repair. */
  outcome: string | null;
}

/**
 * The order matters for repairs. A run without its text must be parsed again, which also restores its points;
 * a run without points is only indexed again from its text. So the blobs are checked before the points.
 */
const CHECKS: Readonly<Record<string, Check>> = { blobs: checkBlobs, points: checkPoints, rows: checkRows };

/**
 * Runs the checks one after the other. With `repair`, repairs the findings of a check before the next check.
 */
export async function* runChecks(context: CheckContext, repair: boolean): AsyncGenerator<CheckResult> {
  for (const [name, check] of Object.entries(CHECKS)) {
    const findings: FindingResult[] = [];
    for (const { repair: repairFinding, ...finding } of await check(context).catch(failure)) {
      const outcome = repair && repairFinding ? await repairFinding() : null;
      findings.push({ ...finding, isRepairable: repairFinding !== null, outcome });
    }
    yield { name, findings };
  }
}

/** A check that cannot be completed says why, and the other checks follow. */
function failure(error: unknown): Finding[] {
  const reason = error instanceof Error ? error.message : String(error);
  return [
    {
      problem: `the check failed: ${reason}`,
      ids: [],
      repair: null,
      advice: 'Look into the log of the service. Damaged data of the database are restored from a backup.',
    },
  ];
}
