import type { Datasource, DatastoreProgress } from '@citewell/sdk';
import type { Translator } from '../../messages/translator.js';

type Words = Pick<Translator, 'text' | 'counted' | 'number'>;

/** The progress of a run in words, such as "Reading, page 312 of 1,158, about 40 s left". */
export function progressWords({ progress }: Pick<Datasource, 'progress'>, { text }: Words): string {
  if (progress === null) return text('progress.waiting');
  const { stage, done, total, pages, etaSeconds } = progress;
  const parts: string[] = [];
  if (pages && pages.found > 0)
    parts.push(text('progress.site', { done: pages.indexed, total: pages.found }));
  else {
    parts.push(text(`stage.${stage}`));
    if (total > 1)
      parts.push(text(stage === 'parsing' ? 'progress.pages' : 'progress.count', { done, total }));
  }
  return [...parts, ...timeLeft(etaSeconds, text)].join(', ');
}

/** The progress of a library in words, such as "Ready: 312 of 1,158, 600 per minute, about 85 s left". */
export function libraryProgressWords(
  { total, statuses, documentsPerMinute, etaSeconds }: DatastoreProgress,
  { text }: Words,
): string {
  const parts = [text('progress.library', { done: statuses.synched, total })];
  if (documentsPerMinute !== null && documentsPerMinute >= 1)
    parts.push(text('progress.rate', { count: Math.round(documentsPerMinute) }));
  return [...parts, ...timeLeft(etaSeconds, text)].join(', ');
}

/** Nothing if the time is unknown, or too short to be read. */
function timeLeft(etaSeconds: number | null, text: Words['text']): string[] {
  if (etaSeconds === null || etaSeconds < 2) return [];
  return [
    etaSeconds < 90
      ? text('progress.left.seconds', { count: Math.round(etaSeconds) })
      : text('progress.left.minutes', { count: Math.round(etaSeconds / 60) }),
  ];
}

/** What a user can do about the error of a datasource. */
type Help = 'retry' | 'replace';

/** Errors that belong to the file, although another attempt may succeed. */
const ERRORS_OF_FILES = ['PARSE_TIMEOUT', 'PARSE_MEMORY', 'PARSER_CRASHED'];
/** Errors and warnings about which a new file does nothing. */
const OTHER_ERRORS = [
  'LANGUAGE_MISSING',
  'USAGE_LIMIT',
  'MODEL_REFUSED',
  'MOSTLY_LEFT_OUT',
  'PARTLY_READ',
  'PARTLY_EMBEDDED',
  'ENCODING_UNCERTAIN',
];

/** A file that belongs to no archive and no site. */
export function isReplaceable({ type, groupId }: Pick<Datasource, 'type' | 'groupId'>): boolean {
  return type === 'file' && groupId === null;
}

/** What helps with the error of a datasource, the best first. */
export function whatHelps(datasource: Pick<Datasource, 'type' | 'groupId' | 'error'>): Help[] {
  const { error } = datasource;
  if (error === null) return [];
  const { code, retryable } = error;
  const belongsToFile = retryable ? ERRORS_OF_FILES.includes(code) : !OTHER_ERRORS.includes(code);
  return [
    ...(belongsToFile && isReplaceable(datasource) ? (['replace'] as const) : []),
    ...(retryable ? (['retry'] as const) : []),
  ];
}
