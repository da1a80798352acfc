/** The outcome of a request, as far as the pace of the next ones depends on it. */
export interface HostFeedback {
  /**
   * - `ok`: a response that shows no trouble, 404 included
   * - `overloaded`: 429 or 503
   * - `broken`: another 5xx, which says more about the page than about its host
   * - `failed`: no response
   */
  result: 'ok' | 'overloaded' | 'broken' | 'failed';
  /** The value of `Retry-After`. */
  retryAfterMs?: number | undefined;
}

/** Pauses double with each failure in a row. A host that needs a longer one sends `Retry-After`. */
const PAUSES = {
  ok: { firstMs: 0, longestMs: 0 },
  overloaded: { firstMs: 5_000, longestMs: 60_000 },
  broken: { firstMs: 500, longestMs: 2_000 },
  failed: { firstMs: 500, longestMs: 60_000 },
};
/** Enough doublings for any of these pauses. */
const MAX_COUNTED_FAILURES = 10;
/** The longest pause for `Retry-After`. */
const MAX_PAUSE_MS = 600_000;
/** Successful requests after which one more may run at the same time. */
const SUCCESSES_PER_STEP = 10;

/**
 * Adapts to one host: a host in trouble gets a pause, and half as many requests at once. The number of
 * requests recovers slowly with successful responses.
 */
export class HostPace {
  /** Requests at once. */
  concurrency: number;
  /** When the current pause ends. */
  resumesAtMs = -Infinity;
  private pausedAtMs = -Infinity;
  private failuresInARow = 0;
  private successes = 0;

  constructor(private readonly maxConcurrency: number) {
    this.concurrency = maxConcurrency;
  }

  record({ result, retryAfterMs }: HostFeedback, startedAtMs: number, nowMs: number): void {
    // Requests that were in progress when the pause began count with the one that caused it.
    if (startedAtMs >= this.pausedAtMs) {
      if (result === 'ok') this.recordSuccess();
      else this.recordFailure(result, nowMs);
    }
    const { firstMs, longestMs } = PAUSES[result];
    const backoffMs = Math.min(firstMs * 2 ** Math.max(0, this.failuresInARow - 1), longestMs);
    const pauseMs = retryAfterMs === undefined ? backoffMs : Math.max(retryAfterMs, firstMs);
    this.resumesAtMs = Math.max(this.resumesAtMs, nowMs + Math.min(pauseMs, MAX_PAUSE_MS));
  }

  private recordSuccess(): void {
    this.failuresInARow = 0;
    this.successes += 1;
    if (this.successes % SUCCESSES_PER_STEP === 0)
      this.concurrency = Math.min(this.concurrency + 1, this.maxConcurrency);
  }

  private recordFailure(result: 'overloaded' | 'broken' | 'failed', nowMs: number): void {
    this.failuresInARow = Math.min(this.failuresInARow + 1, MAX_COUNTED_FAILURES);
    this.pausedAtMs = nowMs;
    this.successes = 0;
    if (result !== 'broken') this.concurrency = Math.max(1, Math.floor(this.concurrency / 2));
  }
}
