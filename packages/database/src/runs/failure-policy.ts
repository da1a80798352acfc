import type { FailureClass, IngestionError } from '@citewell/contracts/errors';

/** Failures of the work itself after which a run is given up, by class of failure. */
const FAILURE_LIMITS: Readonly<Record<FailureClass, number>> = {
  permanent: 1,
  transient: 8,
  'rate-limited': Number.POSITIVE_INFINITY,
  cancelled: 1,
};
/** A file that ends its parsing process is tried this often. */
const PARSE_FAILURE_LIMIT = 3;
const PARSE_FAILURES: ReadonlySet<string> = new Set(['PARSE_TIMEOUT', 'PARSE_MEMORY', 'PARSER_CRASHED']);

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 5 * 60_000;
/** Waited when a provider asks for patience and does not say how much. */
const RATE_LIMIT_PAUSE_MS = 10_000;
/** The longest that a provider's wish is honoured before it is asked again. */
const LONGEST_WISH_MS = 60 * 60_000;

/** How many failures end a run whose latest failure is this one. */
export function failureLimit(error: IngestionError): number {
  return PARSE_FAILURES.has(error.code) ? PARSE_FAILURE_LIMIT : FAILURE_LIMITS[error.failure];
}

/**
 * How long a failed run waits before it is tried again: as long as the provider asked for, up to an hour; else
 * 1 s, 2 s, 4 s, … up to five minutes. What we chose ourselves is spread over its upper half, so that what
 * failed together does not come back together.
 *
 * @param failures of this stage so far, this one included where it counts
 * @param random in [0, 1)
 */
export function pauseMs(error: IngestionError, failures: number, random = Math.random()): number {
  if (error.retryAfterMs !== null) return Math.min(Math.max(error.retryAfterMs, 0), LONGEST_WISH_MS);
  const longest =
    error.failure === 'rate-limited'
      ? RATE_LIMIT_PAUSE_MS
      : Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
  return longest * (0.5 + random / 2);
}
