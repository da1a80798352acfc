import { type FileKind, isFileKind } from '@citewell/contracts/errors';
import { describeRefusal, ENGLISH_FILES } from '@citewell/contracts/file-sentences';
import type { ErrorTranslator } from '@citewell/contracts/messages';
import { inOneLine } from '../terminal/output.js';
import type { SkippedEntry, SkipReason } from './list-files.js';

/** Skipped entries that are named. The rest is counted. */
const MAX_NAMED = 50;

const REASONS: Readonly<Record<Exclude<SkipReason, FileKind>, string>> = {
  hidden: 'It is hidden.',
  program: 'It belongs to a program.',
  link: 'It is a symbolic link.',
  empty: 'It is empty.',
  special: 'It is not a file.',
  name: 'Its name is not valid UTF-8.',
  'no-access': 'It cannot be opened. Check its permissions.',
};

/** What became of the arguments of a command. */
export interface Tally {
  added: number;
  replaced: number;
  unchanged: number;
  /** Left out on purpose. */
  skipped: number;
  /** Also entries of folders that cannot be opened. */
  failed: number;
  /** The command was interrupted before them. */
  'not sent': number;
}

export function newTally(): Tally {
  return { added: 0, replaced: 0, unchanged: 0, skipped: 0, failed: 0, 'not sent': 0 };
}

/** Such as "3 added, 1 unchanged, 2 skipped." */
export function describeTally(tally: Readonly<Record<keyof Tally, number>>): string {
  const parts = Object.entries(tally).flatMap(([word, count]) => (count > 0 ? `${count} ${word}` : []));
  return parts.length === 0 ? 'Nothing to add.' : `${parts.join(', ')}.`;
}

/** Counts what was skipped, and returns the lines that name it. */
export function countSkipped(
  tally: Pick<Tally, 'skipped' | 'failed'>,
  entries: readonly SkippedEntry[],
  errors: ErrorTranslator,
): string[] {
  for (const { reason } of entries) tally[reason === 'no-access' ? 'failed' : 'skipped'] += 1;
  const lines = entries
    .slice(0, MAX_NAMED)
    .map(({ path, reason }) => `skipped ${inOneLine(path)}: ${sentenceOf(reason, errors)}`);
  const more = entries.length - lines.length;
  return more > 0 ? [...lines, `skipped ${more} more`] : lines;
}

function sentenceOf(reason: SkipReason, errors: ErrorTranslator): string {
  if (!isFileKind(reason)) return REASONS[reason];
  const refusal = { reason: 'UNREADABLE_FILE', kind: reason } as const;
  const { sentence } = errors.describe({
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: describeRefusal(ENGLISH_FILES, refusal),
    details: [{ reason: refusal.reason, values: { kind: reason } }],
  });
  return sentence;
}
