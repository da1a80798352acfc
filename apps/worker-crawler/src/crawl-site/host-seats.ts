import { RetryLaterError } from '@citewell/ingestion';
import { type Clock, type HostGate, systemClock } from '@citewell/web';
import { HostBusyError } from './host-busy.error.js';

/** How often it is looked whether a host has become slow. */
const LOOK_MS = 1_000;
/** After this long a run that had to leave its seat asks for one. */
const COME_BACK_MS = 3_000;
/** So much later for each that waits before it: a long line does not keep the dispatcher busy. */
const COME_BACK_LATER_MS = 250;
const LONGEST_PAUSE_MS = 60_000;
/** A run that does not come again so long after it should have is out of the line. */
const ABSENCE_MS = 15_000;

export interface SeatLimits {
  /** Runs that are worked on at once at a slow host. */
  readonly perHost: number;
  /** The same, at all slow hosts together. */
  readonly inAll: number;
}

/** What slow hosts get of so many slots: one a quarter, all of them three. */
export function seatLimits(slots: number): SeatLimits {
  return { perHost: Math.max(1, Math.floor(slots / 4)), inAll: Math.max(1, Math.floor((slots * 3) / 4)) };
}

/** A run that is being worked on, as far as hosts go. */
export interface Seat {
  /** Aborted when the run has to make room; its reason is the HostBusyError that whoever waits for a host then throws. */
  readonly patience: AbortSignal;
  /**
   * To be called before something is asked of a host.
   *
   * @param host name and port, as in `URL.host`
   * @throws RetryLaterError when the host is slow and enough runs are at it
   */
  enter(host: string): void;
}

/** Who was there first comes first. */
interface Sitter {
  readonly runId: string;
  readonly ticket: number;
  readonly hosts: Set<string>;
  readonly patience: AbortController;
}

interface Place {
  readonly ticket: number;
  readonly host: string;
  readonly untilMs: number;
}

/**
 * Keeps a slow host from holding every slot of a crawler: of the runs that want something of it, only some are worked on
 * at a time. The others are given back, so that their slots are free for other hosts, and stand in line meanwhile: a
 * site that has had its turn comes after those that wait. Fast hosts take as many as there are.
 *
 * The line is of this process, and so is what it knows of hosts; nothing is asked of anybody.
 */
export class HostSeats {
  private readonly sitters = new Set<Sitter>();
  /** By run. */
  private readonly line = new Map<string, Place>();
  private lastTicket = 0;
  private cancelLook: (() => void) | null = null;

  constructor(
    private readonly gate: Pick<HostGate, 'isSlow'>,
    private readonly limits: SeatLimits,
    private readonly clock: Clock = systemClock,
  ) {}

  /**
   * Works on a run, which has its seats until that has ended. A run that stands in line is not begun before there is
   * room for it: what leads to the slow host would only be asked for in vain.
   *
   * @throws RetryLaterError as long as there is none; what the work throws
   */
  async hold<Result>(runId: string, work: (seat: Seat) => Promise<Result>): Promise<Result> {
    this.forgetAbsent();
    const place = this.line.get(runId);
    const ticket = place?.ticket ?? (this.lastTicket += 1);
    const sitter: Sitter = { runId, ticket, hosts: new Set(), patience: new AbortController() };
    this.sitters.add(sitter);
    this.cancelLook ??= this.lookLater();
    try {
      if (place !== undefined) this.enter(sitter, place.host);
      return await work({
        patience: sitter.patience.signal,
        enter: (host) => this.enter(sitter, host),
      });
    } finally {
      this.sitters.delete(sitter);
      if (this.sitters.size === 0) {
        this.cancelLook?.();
        this.cancelLook = null;
      }
    }
  }

  private enter(sitter: Sitter, host: string): void {
    const { runId, ticket, hosts } = sitter;
    if (hosts.has(host)) return;
    if (this.gate.isSlow(host)) {
      const before = [...this.line.values()].filter((place) => place.ticket < ticket);
      if (!this.hasRoom(sitter, host, before)) {
        const retryAfterMs = Math.min(COME_BACK_MS + COME_BACK_LATER_MS * before.length, LONGEST_PAUSE_MS);
        this.line.set(runId, { ticket, host, untilMs: this.clock.nowMs() + retryAfterMs + ABSENCE_MS });
        throw new RetryLaterError(`${host} is slow, and enough runs are at it`, retryAfterMs);
      }
    }
    hosts.add(host);
    this.line.delete(runId);
  }

  /** Whether there is room for one more at a slow host when those before have theirs. */
  private hasRoom(sitter: Sitter, host: string, before: readonly Place[]): boolean {
    const { perHost, inAll } = this.limits;
    const slow = [...this.sitters].filter((one) => one !== sitter && this.slowHostsOf(one).length > 0);
    const roomAt = (one: string): number => perHost - slow.filter(({ hosts }) => hosts.has(one)).length;
    // Who waits for room at another host does not stand in the way.
    const ready = before.filter((place) => roomAt(place.host) > 0);
    const same = before.filter((place) => place.host === host);
    return same.length < roomAt(host) && slow.length + ready.length < inAll;
  }

  private slowHostsOf({ hosts }: Sitter): string[] {
    return [...hosts].filter((host) => this.gate.isSlow(host));
  }

  private forgetAbsent(): void {
    for (const [runId, { untilMs }] of this.line) if (untilMs < this.clock.nowMs()) this.line.delete(runId);
  }

  private lookLater(): () => void {
    return this.clock.after(LOOK_MS, () => {
      this.makeRoom();
      this.cancelLook = this.lookLater();
    });
  }

  /** Runs that came before it was known how slow a host is may be too many; those that came last have to leave. */
  private makeRoom(): void {
    const seated = new Map<string, number>();
    let inAll = 0;
    for (const sitter of this.sitters) {
      const slow = this.slowHostsOf(sitter);
      if (slow.length === 0) continue;
      const full = slow.find((host) => (seated.get(host) ?? 0) >= this.limits.perHost);
      const busy = full ?? (inAll >= this.limits.inAll ? slow[0] : undefined);
      if (busy !== undefined) sitter.patience.abort(new HostBusyError(busy, COME_BACK_MS));
      else {
        inAll += 1;
        for (const host of slow) seated.set(host, (seated.get(host) ?? 0) + 1);
      }
    }
  }
}
