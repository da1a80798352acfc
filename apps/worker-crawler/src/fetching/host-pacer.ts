import { setTimeout as sleep } from 'node:timers/promises';
import { HostPaceRepository } from '@citewell/database';
import { HostGate, type HostPermit } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { RetryLaterError } from '@citewell/ingestion';

const MAX_WAIT_MS = 30_000;
/** A host whose pause is not known is tried again after this time. */
const RETRY_MS = 3_000;

export interface PaceOptions {
  /** What the host's robots.txt asks for; without it, the value that was given last. */
  readonly crawlDelayMs?: number | null;
  /** A host that is busy for longer is not waited for. Default 30,000. */
  readonly maxWaitMs?: number;
  readonly signal: AbortSignal;
}

/** How a request went. */
export type HostFeedback = NonNullable<Parameters<HostPermit['release']>[0]>;

/**
 * The pace at which hosts are asked. The number of concurrent requests is counted in this process; the time between two
 * requests, and pauses that a server asks for, are shared by all crawlers through Postgres.
 */
@Injectable()
export class HostPacer {
  private readonly waiting = new Set<{ host: string; maxWaitMs: number; giveUp: AbortController }>();

  constructor(
    @Inject(HostGate) private readonly gate: HostGate,
    @Inject(HostPaceRepository) private readonly paces: Pick<HostPaceRepository, 'reserve' | 'pause'>,
  ) {}

  /**
   * Sends a request when the host's pace allows it.
   *
   * @param request is given a callback that tells how the request went; without a call, the pace stays as it is
   * @throws HostBusyError when the wait would be too long; the signal's reason; what `request` throws
   */
  async run<Result>(
    host: string,
    options: PaceOptions,
    request: (report: (feedback: HostFeedback) => void) => Promise<Result>,
  ): Promise<Result> {
    const permit = await this.acquire(host, options);
    let feedback: HostFeedback | undefined;
    try {
      await this.waitForSharedPace(host, permit, options);
      return await request((given) => (feedback = given));
    } finally {
      permit.release(feedback);
      await this.sharePause(host, feedback);
    }
  }

  private async acquire(
    host: string,
    { crawlDelayMs, maxWaitMs = MAX_WAIT_MS, signal }: PaceOptions,
  ): Promise<HostPermit> {
    const pauseMs = this.gate.pauseMs(host);
    if (pauseMs > maxWaitMs) throw new HostBusyError(host, pauseMs);
    const waiter = { host, maxWaitMs, giveUp: new AbortController() };
    const timer = setTimeout(() => waiter.giveUp.abort(), maxWaitMs);
    this.waiting.add(waiter);
    try {
      return await this.gate.acquire(host, {
        signal: AbortSignal.any([signal, waiter.giveUp.signal]),
        ...(crawlDelayMs === undefined ? {} : { crawlDelayMs }),
      });
    } catch (error) {
      if (signal.aborted || !waiter.giveUp.signal.aborted) throw error;
      throw new HostBusyError(host, Math.max(this.gate.pauseMs(host), RETRY_MS));
    } finally {
      clearTimeout(timer);
      this.waiting.delete(waiter);
    }
  }

  private async waitForSharedPace(
    host: string,
    permit: HostPermit,
    { maxWaitMs = MAX_WAIT_MS, signal }: PaceOptions,
  ): Promise<void> {
    if (permit.spacingMs === 0) return;
    const { waitMs, isGranted } = await this.paces.reserve(host, permit.spacingMs, maxWaitMs);
    if (!isGranted) throw new HostBusyError(host, waitMs);
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    // Another request may have been answered with a pause in the meantime.
    const pauseMs = this.gate.pauseMs(host);
    if (pauseMs > 0) throw new HostBusyError(host, pauseMs);
    permit.begin();
  }

  private async sharePause(host: string, feedback: HostFeedback | undefined): Promise<void> {
    const pauseMs = this.gate.pauseMs(host);
    if (feedback === undefined || pauseMs === 0) return;
    for (const waiter of this.waiting)
      if (waiter.host === host && pauseMs > waiter.maxWaitMs) waiter.giveUp.abort();
    // Best effort: other crawlers get the same answer when they ask.
    await this.paces.pause(host, pauseMs).catch(() => undefined);
  }
}

const SLOT_RETRY_MS = 2_000;

/** Bounds how many of a crawler's slots work on one host, so that a slow host does not stop the others. */
export class HostSlots {
  private readonly used = new Map<string, number>();
  private readonly perHost: number;

  /** @param slots of this crawler; one host gets half of them, at least one */
  constructor(slots: number) {
    this.perHost = Math.max(1, Math.floor(slots / 2));
  }

  /** @throws HostBusyError when all slots of the host are in use; what `work` throws */
  async hold<Result>(host: string, work: () => Promise<Result>): Promise<Result> {
    const used = this.used.get(host) ?? 0;
    if (used >= this.perHost) throw new HostBusyError(host, SLOT_RETRY_MS);
    this.used.set(host, used + 1);
    try {
      return await work();
    } finally {
      const left = (this.used.get(host) ?? 1) - 1;
      if (left === 0) this.used.delete(host);
      else this.used.set(host, left);
    }
  }
}

/** A host asks for a pause, or is too slow to wait for. No request was sent. */
export class HostBusyError extends RetryLaterError {
  constructor(
    readonly host: string,
    retryAfterMs: number,
  ) {
    super(`${host} is busy for another ${Math.round(retryAfterMs)} ms`, retryAfterMs);
    this.name = 'HostBusyError';
  }
}
