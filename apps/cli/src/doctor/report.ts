import type { Examined, ExaminedFinding } from './examination.js';

const SHOWN_IDS = 5;
const MARK = { good: '✔', bad: '✖', mended: '✚' } as const;

/** The lines of one part of the examination. */
export function reportOf({ part, findings }: Examined): string {
  if (findings.length === 0) return `${MARK.good} ${part}\n`;
  return findings.map((finding) => describe(part, finding)).join('');
}

function describe(part: string, { problem, ids, outcome, advice, isRepairable }: ExaminedFinding): string {
  const first = ids.slice(0, SHOWN_IDS).join(', ');
  const more = ids.length > SHOWN_IDS ? `, and ${ids.length - SHOWN_IDS} more` : '';
  const next = outcome ?? advice ?? (isRepairable ? 'repair with --repair' : '');
  return `${outcome === null ? MARK.bad : MARK.mended} ${part}: ${ids.length} ${problem}: ${first}${more}\n  ${next}\n`;
}

/** Whether nothing is left to do about what was found. */
export function isSettled(examined: readonly Examined[]): boolean {
  return examined.every(({ findings }) => findings.every(({ outcome }) => outcome !== null));
}
