import { setTimeout as sleep } from 'node:timers/promises';
import { FolderWatch } from '@citewell/sources/folder-watch';

/** A change is reported when nothing has changed for so long, */
const QUIET_MS = 2_000;
/** or when it has waited for so long. */
const LONGEST_WAIT_MS = 10_000;

/** Tells when something in a folder has changed. */
export class ChangeWaiter {
  private changes = 0;
  private changed = Promise.withResolvers<void>();
  private readonly watch: FolderWatch;

  constructor(folder: string) {
    this.watch = new FolderWatch(folder, () => {
      this.changes += 1;
      this.changed.resolve();
    });
  }

  /** Watches new folders, too. What has changed until now is not reported. @throws as {@link FolderWatch} */
  async refresh(): Promise<void> {
    this.changed = Promise.withResolvers();
    await this.watch.refresh();
  }

  /**
   * Resolves after a change, or after some time without one.
   *
   * @returns whether something has changed
   */
  async wait(longestMs: number, signal: AbortSignal): Promise<boolean> {
    const ended = new AbortController();
    const timeout = sleep(longestMs, false, { signal: AbortSignal.any([signal, ended.signal]) });
    const changed = this.changed.promise.then(() => true);
    try {
      if (!(await Promise.race([changed, timeout]))) return false;
    } finally {
      ended.abort();
      await timeout.catch(() => undefined);
    }
    const start = performance.now();
    for (let seen = -1; seen !== this.changes && performance.now() - start < LONGEST_WAIT_MS;) {
      seen = this.changes;
      await sleep(QUIET_MS, undefined, { signal });
    }
    return true;
  }

  close(): void {
    this.watch.close();
  }
}
