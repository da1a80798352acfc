import type { FailureClass, IngestionError } from '@citewell/contracts/errors';

/** Failures of a stage after which a run is given up, by class of failure. */
const FAILURE_LIMITS: Readonly<Record<FailureClass, number>> = {
  permanent: 1,
  transient: 8,
  'rate-limited': Number.POSITIVE_INFINITY,
  cancelled: 1,
};
/** A file that kills its parsing process is tried this often. */
const PARSE_FAILURE_LIMIT = 3;
const PARSE_FAILURES: ReadonlySet<string> = new Set(['PARSE_TIMEOUT', 'PARSE_MEMORY', 'PARSER_CRASHED']);

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 5 * 60_000;
/** Pause after a provider's rate limit that names no time. */
const RATE_LIMIT_PAUSE_MS = 10_000;
/** Longest pause that a provider can ask for. */
const LONGEST_RETRY_AFTER_MS = 60 * 60_000;

/** Number of failures that ends a run whose latest failure is this one. */
export function failureLimit(error: IngestionError): number {
  return PARSE_FAILURES.has(error.code) ? PARSE_FAILURE_LIMIT : FAILURE_LIMITS[error.failure];
}

/**
 * How long a failed run waits before it is tried again: as long as the provider asked for, up to an hour;
 * otherwise 1 s, 2 s, 4 s, and so on up to five minutes, less a random part of up to half, so that runs which
 * failed together are not retried together.
 *
 * @param failures of this stage so far, including this one if it counts
 * @param random in [0, 1)
 */
export function pauseMs(error: IngestionError, failures: number, random = Math.random()): number {
  if (error.retryAfterMs !== null) return Math.min(Math.max(error.retryAfterMs, 0), LONGEST_RETRY_AFTER_MS);
  const longest =
    error.failure === 'rate-limited'
      ? RATE_LIMIT_PAUSE_MS
      : Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
  return longest * (0.5 + random / 2);
}
