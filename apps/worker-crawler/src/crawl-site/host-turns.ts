import { setTimeout as sleep } from 'node:timers/promises';
import { HostPaceRepository } from '@citewell/database';
import { HostGate, type HostTurn } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { HostBusyError } from './host-busy.error.js';

/** A host that wants a longer pause is come back to: others have work for us. */
const LONGEST_PAUSE_MS = 10_000;
/** The longest wait for one's turn: with a `Crawl-delay`, those before take theirs. */
const LONGEST_WAIT_MS = 30_000;

/** How a request went. */
export type TurnFeedback = NonNullable<Parameters<HostTurn['release']>[0]>;

/**
 * Turns at web servers. So many requests at once is a matter of each crawler; the time between two requests, and a pause
 * that a server asks for, are kept by all of them together.
 */
@Injectable()
export class HostTurns {
  private readonly waiting = new Set<{ host: string; patience: AbortController }>();

  constructor(
    @Inject(HostGate) private readonly gate: HostGate,
    @Inject(HostPaceRepository) private readonly paces: Pick<HostPaceRepository, 'reserve' | 'pause'>,
  ) {}

  /**
   * Waits for a turn, and does something in it.
   *
   * @param crawlDelayMs what the host's robots.txt asks for; not given, what was said the last time
   * @param work is given what tells how the request went; without that, it says nothing about the host
   * @throws HostBusyError when the host wants to be left alone for long, the signal's reason, what the work throws
   */
  async take<Result>(
    host: string,
    { crawlDelayMs, signal }: { crawlDelayMs?: number | null; signal: AbortSignal },
    work: (tell: (feedback: TurnFeedback) => void) => Promise<Result>,
  ): Promise<Result> {
    const turn = await this.turnAt(host, crawlDelayMs, signal);
    let feedback: TurnFeedback | undefined;
    try {
      await this.afterOthers(host, turn.spacingMs, signal);
      return await work((said) => (feedback = said));
    } finally {
      turn.release(feedback);
      await this.spreadPause(host, feedback);
    }
  }

  private async turnAt(
    host: string,
    crawlDelayMs: number | null | undefined,
    signal: AbortSignal,
  ): Promise<HostTurn> {
    const pauseMs = this.gate.pauseMs(host);
    if (pauseMs > LONGEST_PAUSE_MS) throw new HostBusyError(host, pauseMs);
    const waiter = { host, patience: new AbortController() };
    const timer = setTimeout(() => waiter.patience.abort(), LONGEST_WAIT_MS);
    this.waiting.add(waiter);
    try {
      const either = AbortSignal.any([signal, waiter.patience.signal]);
      return await this.gate.acquire(host, {
        signal: either,
        ...(crawlDelayMs === undefined ? {} : { crawlDelayMs }),
      });
    } catch (error) {
      if (signal.aborted || !waiter.patience.signal.aborted) throw error;
      throw new HostBusyError(host, this.gate.pauseMs(host));
    } finally {
      clearTimeout(timer);
      this.waiting.delete(waiter);
    }
  }

  /** Where nothing is between two requests, there is nothing to agree on. */
  private async afterOthers(host: string, spacingMs: number, signal: AbortSignal): Promise<void> {
    if (spacingMs === 0) return;
    const { waitMs, isGranted } = await this.paces.reserve(host, spacingMs, LONGEST_PAUSE_MS);
    if (!isGranted) throw new HostBusyError(host, waitMs);
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }

  /** Those who wait for their turn at a host that has just asked for a long pause, here and elsewhere, need not. */
  private async spreadPause(host: string, feedback: TurnFeedback | undefined): Promise<void> {
    const pauseMs = this.gate.pauseMs(host);
    if (feedback === undefined || pauseMs === 0) return;
    if (pauseMs > LONGEST_PAUSE_MS)
      for (const waiter of this.waiting) if (waiter.host === host) waiter.patience.abort();
    await this.paces.pause(host, pauseMs);
  }
}
