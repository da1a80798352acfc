import type { CheckResult, FindingResult } from './run-checks.js';

const MAX_SHOWN_IDS = 5;
const MARK = { ok: '✔', problem: '✖', repaired: '✚' } as const;

/** Formats the result of a check as lines of the report. */
export function formatCheckResult({ name, findings }: CheckResult): string {
  if (findings.length === 0) return `${MARK.ok} ${name}\n`;
  return findings.map((finding) => formatFinding(name, finding)).join('');
}

function formatFinding(name: string, { problem, ids, outcome, advice, isRepairable }: FindingResult): string {
  const mark = outcome === null ? MARK.problem : MARK.repaired;
  const shownIds = ids.slice(0, MAX_SHOWN_IDS).join(', ');
  const more = ids.length > MAX_SHOWN_IDS ? `, and ${ids.length - MAX_SHOWN_IDS} more` : '';
  const nextStep = outcome ?? advice ?? (isRepairable ? 'Use --repair to repair this.' : '');
  return `${mark} ${name}: ${problem} (${ids.length}): ${shownIds}${more}\n  ${nextStep}\n`;
}

/** Whether every finding was repaired. */
export function isEverythingRepaired(results: readonly CheckResult[]): boolean {
  return results.every(({ findings }) => findings.every(({ outcome }) => outcome !== null));
}
