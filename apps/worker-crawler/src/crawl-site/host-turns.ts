import { setTimeout as sleep } from 'node:timers/promises';
import { HostPaceRepository } from '@citewell/database';
import { HostGate, type HostTurn } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { HostBusyError } from './host-busy.error.js';

/** How long a host is waited for; one that wants more is come back to: others have work for us. */
interface Waits {
  /** While it wants to be left alone, or other crawlers have their turns. */
  readonly pauseMs: number;
  /** For one's turn: with a `Crawl-delay`, those before take theirs. */
  readonly turnMs: number;
}

const USUAL: Waits = { pauseMs: 10_000, turnMs: 30_000 };
/** Several times the longest `Crawl-delay`. */
const PATIENT: Waits = { pauseMs: 300_000, turnMs: 300_000 };
/** A host that was waited for in vain is come back to after this long at the earliest. */
const SHORTEST_PAUSE_MS = 3_000;

export interface TakeTurnOptions {
  /** What the host's robots.txt asks for; not given, what was said the last time. */
  readonly crawlDelayMs?: number | null;
  /** Waits for longer: for what would have to begin with another request if it were sent away. */
  readonly isPatient?: boolean;
  /** Ends the wait for a turn with its reason, and nothing once the turn has come. */
  readonly patience?: AbortSignal | undefined;
  readonly signal: AbortSignal;
}

/** How a request went. */
export type TurnFeedback = NonNullable<Parameters<HostTurn['release']>[0]>;

/**
 * Turns at web servers. So many requests at once is a matter of each crawler; the time between two requests, and a pause
 * that a server asks for, are kept by all of them together. Where no time is to be between two requests, each crawler
 * goes by what it was told itself.
 */
@Injectable()
export class HostTurns {
  private readonly waiting = new Set<{ host: string; waits: Waits; giveUp: AbortController }>();

  constructor(
    @Inject(HostGate) private readonly gate: HostGate,
    @Inject(HostPaceRepository) private readonly paces: Pick<HostPaceRepository, 'reserve' | 'pause'>,
  ) {}

  /**
   * Waits for a turn, and does something in it.
   *
   * @param work is given what tells how the request went; without that, it says nothing about the host
   * @throws HostBusyError when the host wants to be left alone for long, the signals' reasons, what the work throws
   */
  async take<Result>(
    host: string,
    options: TakeTurnOptions,
    work: (tell: (feedback: TurnFeedback) => void) => Promise<Result>,
  ): Promise<Result> {
    const turn = await this.turnAt(host, options);
    let feedback: TurnFeedback | undefined;
    try {
      await this.afterOthers(host, turn, options);
      return await work((said) => (feedback = said));
    } finally {
      turn.release(feedback);
      await this.spreadPause(host, feedback);
    }
  }

  private async turnAt(
    host: string,
    { crawlDelayMs, isPatient = false, patience, signal }: TakeTurnOptions,
  ): Promise<HostTurn> {
    const delay = crawlDelayMs === undefined ? {} : { crawlDelayMs };
    const waits = isPatient ? PATIENT : USUAL;
    const pauseMs = this.gate.pauseMs(host);
    if (pauseMs > waits.pauseMs) throw new HostBusyError(host, pauseMs);
    const waiter = { host, waits, giveUp: new AbortController() };
    const timer = setTimeout(() => waiter.giveUp.abort(), waits.turnMs);
    this.waiting.add(waiter);
    try {
      return await this.gate.acquire(host, {
        signal: anyOf(signal, waiter.giveUp.signal, patience),
        ...delay,
      });
    } catch (error) {
      if (signal.aborted || patience?.aborted || !waiter.giveUp.signal.aborted) throw error;
      throw new HostBusyError(host, Math.max(this.gate.pauseMs(host), SHORTEST_PAUSE_MS));
    } finally {
      clearTimeout(timer);
      this.waiting.delete(waiter);
    }
  }

  private async afterOthers(
    host: string,
    turn: HostTurn,
    { isPatient = false, patience, signal }: TakeTurnOptions,
  ): Promise<void> {
    if (turn.spacingMs === 0) return;
    const { pauseMs: longestMs } = isPatient ? PATIENT : USUAL;
    const { waitMs, isGranted } = await this.paces.reserve(host, turn.spacingMs, longestMs);
    if (!isGranted) throw new HostBusyError(host, waitMs);
    const ends = anyOf(signal, patience);
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: ends }).catch(() => ends.throwIfAborted());
    // Another request of ours may have been told to wait meanwhile.
    const pauseMs = this.gate.pauseMs(host);
    if (pauseMs > 0) throw new HostBusyError(host, pauseMs);
    turn.begin();
  }

  /** Those who wait for their turn at a host that has just asked for a long pause, here and elsewhere, need not. */
  private async spreadPause(host: string, feedback: TurnFeedback | undefined): Promise<void> {
    const pauseMs = this.gate.pauseMs(host);
    if (feedback === undefined || pauseMs === 0) return;
    for (const { host: awaited, waits, giveUp } of this.waiting)
      if (awaited === host && pauseMs > waits.pauseMs) giveUp.abort();
    // What was answered counts for more: others are told the same when they ask.
    await this.paces.pause(host, pauseMs).catch(() => undefined);
  }
}

function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}
