import type { CheckResult } from './run-checks.js';

const MAX_SHOWN_IDS = 5;
const MARK = { ok: '✔', problem: '✖', repaired: '✚' } as const;

/** One line of the report: an intact part of the installation, or one kind of damage. */
export interface ReportEntry {
  /** Name of the check. */
  name: string;
  state: keyof typeof MARK;
  /** Describes the damage. Null if there is none. */
  message: string | null;
  /** All affected items. */
  ids: readonly string[];
  /** What to do, or what the repair did. */
  nextStep: string | null;
}

export function okEntry(name: string): ReportEntry {
  return { name, state: 'ok', message: null, ids: [], nextStep: null };
}

/** Describes each dependency. Used if one is not ready: without it, no check can run. */
export function dependencyEntries(outcomes: Readonly<Record<string, string>>): ReportEntry[] {
  return Object.entries(outcomes).map(([name, outcome]) => {
    if (outcome === 'ok') return okEntry(name);
    return { name, state: 'problem', message: outcome, ids: [], nextStep: stepFor(name, outcome) };
  });
}

/** What to do about a dependency. The reasons are those of the errors of the stores. */
export function stepFor(name: string, reason: string): string {
  if (name === 'schema') return 'Run "citewell migrate".';
  switch (reason) {
    case 'has a full disk':
      return 'Free space on the disk of the data directory: delete datasources, or move other files away.';
    case 'may not be written':
      return 'Give the user of the service permission to write to the data directory.';
    case 'is damaged':
      return 'Use --repair.';
    default:
      return 'Check that it runs, and its address in the configuration of the server.';
  }
}

/** Describes the findings of a check, one entry each, or that there are none. */
export function checkEntries({ name, findings }: CheckResult): ReportEntry[] {
  if (findings.length === 0) return [okEntry(name)];
  return findings.map(({ problem, ids, outcome, advice, isRepairable }) => ({
    name,
    state: outcome === null ? 'problem' : 'repaired',
    message: problem,
    ids,
    nextStep: outcome ?? advice ?? (isRepairable ? 'Use --repair to repair this.' : null),
  }));
}

/** Formats an entry as lines for a terminal. */
export function formatEntry({ name, state, message, ids, nextStep }: ReportEntry): string {
  const shownIds = ids.slice(0, MAX_SHOWN_IDS).join(', ');
  const more = ids.length > MAX_SHOWN_IDS ? `, and ${ids.length - MAX_SHOWN_IDS} more` : '';
  const items = ids.length === 0 ? '' : ` (${ids.length}): ${shownIds}${more}`;
  return [
    `${MARK[state]} ${name}${message === null ? '' : `: ${message}${items}`}\n`,
    ...(nextStep === null ? [] : [`  ${nextStep}\n`]),
  ].join('');
}
