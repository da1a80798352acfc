import { checkBlobs } from './blobs.check.js';
import type { Check, CheckContext, Finding } from './check.js';
import { checkPoints } from './points.check.js';
import { checkRows } from './rows.check.js';

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
