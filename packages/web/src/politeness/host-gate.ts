import { type Clock, systemClock } from './clock.js';
import { type HostFeedback, HostPace, PACE_LIMITS, type PaceLimits } from './host-pace.js';

const MAX_HOSTS = 10_000;
/** A request that has been under way for so many times `slowAnswerMs` shows a slow host before it is answered. */
const LONG_UNDER_WAY = 2;

export interface HostGateOptions extends Partial<PaceLimits> {
  /** Requests under way at once to one host. A host with a `Crawl-delay` gets one. */
  concurrencyPerHost: number;
  /** Least time between the starts of two requests to one host. 0 is none. */
  delayMs: number;
  /** How many hosts are remembered that nothing is under way to. Default 10,000. */
  maxHosts?: number;
  /** Default: the system's. */
  clock?: Clock;
}

export interface AcquireOptions {
  /** What the host's robots.txt asks for, see `RobotsRules.crawlDelayMs`; without it, what was said the last time. */
  crawlDelayMs?: number | null;
  /** Ends the wait, which then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** The right to make one request. */
export interface HostTurn {
  /** Least time from the start of this request to that of the next one to the host; 0 is none. */
  readonly spacingMs: number;
  /** The request begins only now: the time until here was spent on waiting for others, and says nothing of the host. */
  begin(): void;
  /** Gives the turn back when the answer has been read, or will not be. Only the first call counts. */
  release(feedback?: Omit<HostFeedback, 'durationMs'>): void;
}

type Waiter = (turn: HostTurn) => void;

interface Request {
  startedAtMs: number;
}

interface Host {
  waiters: Set<Waiter>;
  /** What was said last. */
  crawlDelayMs: number;
  /** Turns that were not given back. */
  underWay: number;
  /** Requests of these turns, and those that take none. */
  requests: Set<Request>;
  lastStartMs: number;
  pace: HostPace;
  /** Calls off the timer that looks again. */
  cancelTimer: (() => void) | null;
}

/**
 * Spaces out requests to each host: so many at once, so much time between two, less when the host is slow or asks for
 * it. Turns of one host come in the order they were asked for; hosts do not wait for each other.
 *
 * It knows the requests of this process only; `HostTurn.spacingMs` is what several have to agree on.
 */
export class HostGate {
  /** By recency of use, the oldest first. */
  private readonly hosts = new Map<string, Host>();
  private readonly clock: Clock;
  private readonly limits: PaceLimits;

  constructor(private readonly options: HostGateOptions) {
    this.clock = options.clock ?? systemClock;
    this.limits = { ...PACE_LIMITS, ...options };
  }

  /**
   * Waits for a turn. Whoever gets one has to give it back.
   *
   * @param host name and port, as in `URL.host`
   */
  acquire(host: string, { crawlDelayMs, signal }: AcquireOptions = {}): Promise<HostTurn> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const state = this.stateOf(host);
    if (crawlDelayMs !== undefined) state.crawlDelayMs = crawlDelayMs ?? 0;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = (turn) => {
        signal?.removeEventListener('abort', abandon);
        resolve(turn);
      };
      const abandon = (): void => {
        state.waiters.delete(waiter);
        this.proceed(state);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abandon, { once: true });
      state.waiters.add(waiter);
      this.proceed(state);
    });
  }

  /**
   * How long the host wants to be left alone, as far as time goes: a crawler with other things to do does not wait for
   * a long one but comes back.
   */
  pauseMs(host: string): number {
    const state = this.hosts.get(host);
    return state ? Math.max(0, state.pace.resumesAtMs - this.clock.nowMs()) : 0;
  }

  /**
   * Whether whoever wants something of the host waits for long: `slowAnswerMs` or more are between two requests, because
   * its answers take as long or it asks for it, or an answer has been waited for twice as long.
   */
  isSlow(host: string): boolean {
    const state = this.hosts.get(host);
    if (!state) return false;
    const { slowAnswerMs } = this.limits;
    if (this.spacingMs(state) >= slowAnswerMs) return true;
    const longAgoMs = this.clock.nowMs() - LONG_UNDER_WAY * slowAnswerMs;
    return [...state.requests].some(({ startedAtMs }) => startedAtMs <= longAgoMs);
  }

  /** A request that takes no turn begins: how long it takes says as much of the host. @returns what ends it */
  watch(host: string): () => void {
    const state = this.stateOf(host);
    const request = this.note(state);
    return () => {
      if (state.requests.delete(request)) state.pace.took(this.clock.nowMs() - request.startedAtMs);
    };
  }

  /** How many hosts are remembered. */
  get size(): number {
    return this.hosts.size;
  }

  /** Starts whatever may start, and sees to it that the next is looked at in time. */
  private proceed(state: Host): void {
    state.cancelTimer?.();
    state.cancelTimer = null;
    for (const waiter of state.waiters) {
      const concurrency = state.crawlDelayMs > 0 ? 1 : this.options.concurrencyPerHost;
      // Whoever gives a turn back looks again.
      if (state.underWay >= concurrency) return;
      const waitMs = this.nextStartMs(state) - this.clock.nowMs();
      if (waitMs > 0) {
        state.cancelTimer = this.clock.after(Math.ceil(waitMs), () => this.proceed(state));
        return;
      }
      state.waiters.delete(waiter);
      waiter(this.begin(state));
    }
  }

  private spacingMs({ crawlDelayMs, pace }: Host): number {
    return Math.max(this.options.delayMs, crawlDelayMs, pace.adaptiveDelayMs);
  }

  private nextStartMs(state: Host): number {
    return Math.max(state.lastStartMs + this.spacingMs(state), state.pace.resumesAtMs);
  }

  private note(state: Host): Request {
    const request = { startedAtMs: this.clock.nowMs() };
    state.requests.add(request);
    return request;
  }

  private begin(state: Host): HostTurn {
    const request = this.note(state);
    state.lastStartMs = request.startedAtMs;
    state.underWay += 1;
    return {
      spacingMs: this.spacingMs(state),
      begin: () => {
        request.startedAtMs = this.clock.nowMs();
        state.lastStartMs = request.startedAtMs;
      },
      release: (feedback) => {
        if (!state.requests.delete(request)) return;
        state.underWay -= 1;
        const { startedAtMs } = request;
        const nowMs = this.clock.nowMs();
        // A turn that was not used says nothing about the host.
        if (feedback) state.pace.note({ ...feedback, durationMs: nowMs - startedAtMs }, startedAtMs, nowMs);
        this.proceed(state);
      },
    };
  }

  private stateOf(host: string): Host {
    const state = this.hosts.get(host) ?? {
      waiters: new Set(),
      crawlDelayMs: 0,
      underWay: 0,
      requests: new Set(),
      lastStartMs: -Infinity,
      pace: new HostPace(this.limits),
      cancelTimer: null,
    };
    this.hosts.delete(host);
    this.hosts.set(host, state);
    if (this.hosts.size > (this.options.maxHosts ?? MAX_HOSTS)) this.forgetOneBut(state);
    return state;
  }

  /** Forgets the host that was used the longest ago of those at rest, and one that has to wait only if it must. */
  private forgetOneBut(kept: Host): void {
    let candidate: string | null = null;
    for (const [host, state] of this.hosts) {
      if (state === kept || state.requests.size > 0 || state.waiters.size > 0) continue;
      candidate ??= host;
      if (this.nextStartMs(state) > this.clock.nowMs()) continue;
      candidate = host;
      break;
    }
    if (candidate !== null) this.hosts.delete(candidate);
  }
}
