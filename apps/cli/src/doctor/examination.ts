import { checkBlobs } from './blobs.check.js';
import type { Check, Finding, Patient } from './finding.js';
import { checkPoints } from './points.check.js';
import { checkRows } from './rows.check.js';

/** A part of the examination, as the report names it. */
export interface Examined {
  part: string;
  findings: readonly ExaminedFinding[];
}

export interface ExaminedFinding extends Omit<Finding, 'repair'> {
  isRepairable: boolean;
  /** What was done about it; null when nothing was. */
  outcome: string | null;
}

/**
 * Blobs come first: what lacks its text has to be read anew, which brings its points too, while what only lacks
 * points is indexed anew from its text.
 */
const CHECKS: Readonly<Record<string, Check>> = { blobs: checkBlobs, points: checkPoints, rows: checkRows };

/** Runs every check, and repairs what it finds if that is wanted, before the next one. */
export async function* examine(patient: Patient, isToRepair: boolean): AsyncGenerator<Examined> {
  for (const [part, check] of Object.entries(CHECKS)) {
    const findings: ExaminedFinding[] = [];
    for (const { repair, ...finding } of await check(patient)) {
      const outcome = isToRepair && repair ? await repair() : null;
      findings.push({ ...finding, isRepairable: repair !== null, outcome });
    }
    yield { part, findings };
  }
}
