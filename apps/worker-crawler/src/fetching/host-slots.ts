import { HostBusyError } from './host-busy.error.js';

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
