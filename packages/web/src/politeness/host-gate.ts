const systemClock: Clock = {
  nowMs: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

const MAX_HOSTS = 10_000;

export interface HostGateOptions {
  /** Requests to one host at once. A host with a `Crawl-delay` gets one. */
  concurrencyPerHost: number;
  /** Minimum time between the starts of two requests to one host. 0 means none. */
  delayMs: number;
  /** Hosts whose pace is remembered. Default 10,000. */
  maxHosts?: number;
  /** Default: the system clock. */
  clock?: Clock;
}

export interface AcquireOptions {
  /** The `Crawl-delay` of the host's robots.txt; null for none. Default: the value of the previous call. */
  crawlDelayMs?: number | null;
  /** Ends the wait, which then rejects with the reason of the signal. */
  signal?: AbortSignal;
}

/** The right to send one request. */
export interface HostPermit {
  /** Minimum time from the start of this request to the start of the next one to the host; 0 means none. */
  readonly spacingMs: number;
  /**
   * Sets the start of the request to now. Call this after waiting for something else with the permit in hand.
   */
  begin(): void;
  /**
   * Returns the permit, when the response has been read or will not be. Only the first call counts. Without
   * feedback the request says nothing about the host.
   */
  release(feedback?: HostFeedback): void;
}

type Waiter = (permit: HostPermit) => void;

interface Host {
  readonly waiters: Set<Waiter>;
  readonly pace: HostPace;
  crawlDelayMs: number;
  /** Permits that have not been released. */
  permits: number;
  lastStartMs: number;
  cancelTimer: (() => void) | null;
}

/**
 * Limits the requests to each host: a number at once, a minimum time between two, and pauses for a host in
 * trouble. The requests of one host start in the order of the calls; hosts do not wait for each other.
 *
 * It sees the requests of this process only. Several processes agree on `HostPermit.spacingMs` with each
 * other.
 */
export class HostGate {
  /** By recency of use, the oldest first. */
  private readonly hosts = new Map<string, Host>();
  private readonly clock: Clock;

  constructor(private readonly options: HostGateOptions) {
    this.clock = options.clock ?? systemClock;
  }

  /**
   * Waits for a permit. The caller must release it.
   *
   * @param host name and port, as in `URL.host`
   */
  acquire(host: string, { crawlDelayMs, signal }: AcquireOptions = {}): Promise<HostPermit> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const state = this.stateOf(host);
    if (crawlDelayMs !== undefined) state.crawlDelayMs = crawlDelayMs ?? 0;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = (permit) => {
        signal?.removeEventListener('abort', abandon);
        resolve(permit);
      };
      const abandon = (): void => {
        state.waiters.delete(waiter);
        this.grant(state);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abandon, { once: true });
      state.waiters.add(waiter);
      this.grant(state);
    });
  }

  /** Milliseconds until the host may be asked again after a failure or `Retry-After`; 0 for no pause. */
  pauseMs(host: string): number {
    const resumesAtMs = this.hosts.get(host)?.pace.resumesAtMs ?? -Infinity;
    return Math.max(0, resumesAtMs - this.clock.nowMs());
  }

  /** Gives permits to those waiters that may start, and sets a timer for the next one. */
  private grant(state: Host): void {
    state.cancelTimer?.();
    state.cancelTimer = null;
    for (const waiter of state.waiters) {
      // The release of a permit calls this method again.
      if (state.permits >= (state.crawlDelayMs > 0 ? 1 : state.pace.concurrency)) return;
      const waitMs = this.nextStartMs(state) - this.clock.nowMs();
      if (waitMs > 0) {
        state.cancelTimer = this.clock.after(Math.ceil(waitMs), () => this.grant(state));
        return;
      }
      state.waiters.delete(waiter);
      waiter(this.createPermit(state));
    }
  }

  private spacingMs({ crawlDelayMs }: Host): number {
    return Math.max(this.options.delayMs, crawlDelayMs);
  }

  private nextStartMs(state: Host): number {
    return Math.max(state.lastStartMs + this.spacingMs(state), state.pace.resumesAtMs);
  }

  private createPermit(state: Host): HostPermit {
    let startedAtMs = this.clock.nowMs();
    let isReleased = false;
    state.lastStartMs = startedAtMs;
    state.permits += 1;
    return {
      spacingMs: this.spacingMs(state),
      begin: () => {
        startedAtMs = this.clock.nowMs();
        state.lastStartMs = startedAtMs;
      },
      release: (feedback) => {
        if (isReleased) return;
        isReleased = true;
        state.permits -= 1;
        if (feedback) state.pace.record(feedback, startedAtMs, this.clock.nowMs());
        this.grant(state);
      },
    };
  }

  private stateOf(host: string): Host {
    const state = this.hosts.get(host) ?? {
      waiters: new Set(),
      pace: new HostPace(this.options.concurrencyPerHost),
      crawlDelayMs: 0,
      permits: 0,
      lastStartMs: -Infinity,
      cancelTimer: null,
    };
    this.hosts.delete(host);
    this.hosts.set(host, state);
    if (this.hosts.size > (this.options.maxHosts ?? MAX_HOSTS)) this.forgetOldest(state);
    return state;
  }

  /** Forgets the oldest host that has no permits, no waiters, and need not be waited for. */
  private forgetOldest(kept: Host): void {
    for (const [host, state] of this.hosts) {
      const isIdle = state !== kept && state.permits === 0 && state.waiters.size === 0;
      if (!isIdle || this.nextStartMs(state) > this.clock.nowMs()) continue;
      this.hosts.delete(host);
      return;
    }
  }
}

/** A monotonic clock with timers. Tests advance a fake one. */
export interface Clock {
  /** Milliseconds from any fixed point. Never decreases. */
  nowMs(): number;
  /** Calls back once. @returns a function that cancels the timer */
  after(delayMs: number, callback: () => void): () => void;
}

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
class HostPace {
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
