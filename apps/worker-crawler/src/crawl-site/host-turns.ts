import { setTimeout as sleep } from 'node:timers/promises';
import { HostPaceRepository } from '@citewell/database';
import { HostGate, type HostTurn } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { HostBusyError } from './host-busy.error.js';

/** A host that wants a longer pause is come back to: others have work for us. */
const LONGEST_PAUSE_MS = 10_000;
/** The longest wait for one's turn: with a `Crawl-delay`, those before take theirs. */
const LONGEST_WAIT_MS = 30_000;
/** A host that was waited for in vain is come back to after this long at the earliest. */
const SHORTEST_PAUSE_MS = 3_000;
/** Longer than any wait that a host can ask for. */
const ANY_WAIT_MS = 24 * 60 * 60_000;

export interface TakeTurnOptions {
  /** What the host's robots.txt asks for; not given, what was said the last time. */
  readonly crawlDelayMs?: number | null;
  /** Waits for as long as it takes: for what would have to begin with another request if it were sent away. */
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
  private readonly waiting = new Set<{ host: string; giveUp: AbortController }>();

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
    if (isPatient) return this.gate.acquire(host, { signal, ...delay });
    const pauseMs = this.gate.pauseMs(host);
    if (pauseMs > LONGEST_PAUSE_MS) throw new HostBusyError(host, pauseMs);
    const waiter = { host, giveUp: new AbortController() };
    const timer = setTimeout(() => waiter.giveUp.abort(), LONGEST_WAIT_MS);
    this.waiting.add(waiter);
    try {
      return await this.gate.acquire(host, {
        signal: AbortSignal.any([signal, waiter.giveUp.signal, ...(patience ? [patience] : [])]),
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
    { isPatient = false, signal }: TakeTurnOptions,
  ): Promise<void> {
    if (turn.spacingMs === 0) return;
    const patienceMs = isPatient ? ANY_WAIT_MS : LONGEST_PAUSE_MS;
    const { waitMs, isGranted } = await this.paces.reserve(host, turn.spacingMs, patienceMs);
    if (!isGranted) throw new HostBusyError(host, waitMs);
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    // Another request of ours may have been told to wait meanwhile.
    const pauseMs = this.gate.pauseMs(host);
    if (pauseMs > 0 && !isPatient) throw new HostBusyError(host, pauseMs);
    turn.begin();
  }

  /** Those who wait for their turn at a host that has just asked for a long pause, here and elsewhere, need not. */
  private async spreadPause(host: string, feedback: TurnFeedback | undefined): Promise<void> {
    const pauseMs = this.gate.pauseMs(host);
    if (feedback === undefined || pauseMs === 0) return;
    if (pauseMs > LONGEST_PAUSE_MS)
      for (const waiter of this.waiting) if (waiter.host === host) waiter.giveUp.abort();
    // What was answered counts for more: others are told the same when they ask.
    await this.paces.pause(host, pauseMs).catch(() => undefined);
  }
}
