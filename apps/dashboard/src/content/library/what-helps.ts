import type { Datasource } from '@citewell/sdk';

/** What a user can do about the error of a datasource. */
export type Help = 'retry' | 'replace';

/** Errors that belong to the file, although another attempt may succeed. */
const ERRORS_OF_FILES = ['PARSE_TIMEOUT', 'PARSE_MEMORY', 'PARSER_CRASHED'];
/** Errors and warnings about which a new file does nothing. */
const OTHER_ERRORS = [
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
