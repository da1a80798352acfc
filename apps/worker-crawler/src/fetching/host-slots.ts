import { RetryLaterError } from '@citewell/ingestion';

const RETRY_MS = 2_000;

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
    if (used >= this.perHost) throw new HostBusyError(host, RETRY_MS);
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
