/** How a request went, as far as the next one depends on it. */
export interface HostFeedback {
  /** From the request to the end of its answer. */
  durationMs: number;
  /**
   * `ok`: any answer that the server gave at leisure, 404 too. `overloaded`: 429, 503, or whatever else asks for less.
   * `broken`: another 5xx, which says more of the page than of its host. `failed`: no answer.
   */
  result: 'ok' | 'overloaded' | 'broken' | 'failed';
  /** What `Retry-After` said. */
  retryAfterMs?: number | undefined;
}

export interface PaceLimits {
  /** Answers that take longer than this on average make us slower. Default 1,000. */
  slowAnswerMs: number;
  /** The longest pause that slow answers lead to. Default 10,000. */
  maxAdaptiveDelayMs: number;
  /** The longest pause after errors and `Retry-After`. Default 600,000. */
  maxBackoffMs: number;
}

export const PACE_LIMITS: PaceLimits = {
  slowAnswerMs: 1000,
  maxAdaptiveDelayMs: 10_000,
  maxBackoffMs: 600_000,
};

/** Weight of the newest answer in the mean. */
const SMOOTHING = 0.3;
const FIRST_BACKOFF_MS = { overloaded: 5000, broken: 500, failed: 500 };
/**
 * Many pages of a site may be broken, or always be refused as too many requests, and the others are not to wait for
 * hours, also when something else comes up. A host that asks for longer says so (`Retry-After`).
 */
const LONGEST_MS = { overloaded: 60_000, broken: 2000, failed: Infinity };
const MAX_BROKEN_IN_A_ROW = 3;

/**
 * How fast one host wants to be asked. While its answers take longer than `slowAnswerMs` on average, the pause between
 * two requests is as long as an answer takes, so that it never works on more than about one of ours. When it asks for
 * less, or fails, there is a pause that doubles with each time in a row.
 */
export class HostPace {
  private meanDurationMs = 0;
  private failuresInARow = 0;
  private pausedUntilMs = -Infinity;
  private pausedAtMs = -Infinity;

  constructor(private readonly limits: PaceLimits) {}

  /** Pause between two requests that the speed of the answers calls for. */
  get adaptiveDelayMs(): number {
    const { slowAnswerMs, maxAdaptiveDelayMs } = this.limits;
    return this.meanDurationMs > slowAnswerMs ? Math.min(this.meanDurationMs, maxAdaptiveDelayMs) : 0;
  }

  /** The end of a pause that errors have led to. */
  get resumesAtMs(): number {
    return this.pausedUntilMs;
  }

  /** An answer has come, or will not, after so long. */
  took(durationMs: number): void {
    this.meanDurationMs += SMOOTHING * (durationMs - this.meanDurationMs);
  }

  note({ durationMs, result, retryAfterMs }: HostFeedback, startedAtMs: number, nowMs: number): void {
    this.took(durationMs);
    if (result === 'ok') {
      // A success that was under way when the pause began does not end it.
      if (startedAtMs >= this.pausedAtMs) this.failuresInARow = 0;
      if (retryAfterMs === undefined) return;
    } else if (startedAtMs >= this.pausedAtMs) {
      // Requests that were under way together fail together, and count once.
      if (result !== 'broken' || this.failuresInARow < MAX_BROKEN_IN_A_ROW) this.failuresInARow += 1;
      this.pausedAtMs = nowMs;
    }
    const pauseMs = Math.min(
      // One that says itself how long knows better than we do.
      Math.max(this.ownBackoffMs(result, retryAfterMs !== undefined), retryAfterMs ?? 0),
      this.limits.maxBackoffMs,
    );
    this.pausedUntilMs = Math.max(this.pausedUntilMs, nowMs + pauseMs);
  }

  private ownBackoffMs(result: HostFeedback['result'], isTold: boolean): number {
    if (result === 'ok') return 0;
    if (isTold && result === 'overloaded') return FIRST_BACKOFF_MS.overloaded;
    const doubledMs = FIRST_BACKOFF_MS[result] * 2 ** Math.max(0, this.failuresInARow - 1);
    return Math.min(doubledMs, LONGEST_MS[result]);
  }
}
