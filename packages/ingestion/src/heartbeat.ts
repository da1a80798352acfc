import {
  LeaseLostError,
  type RunEntity,
  type RunLifecycleRepository,
  type StageProgress,
} from '@citewell/database';

/** Between two heartbeats. A lease is several times as long. */
const INTERVAL_MS = 1_000;

/** Renews the lease of a run and records its progress while a stage works. */
export class Heartbeat {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private progress: StageProgress | null = null;
  private beating = false;

  /** Starts the heartbeat. @param intervalMs default 1,000 */
  constructor(
    private readonly lifecycle: Pick<RunLifecycleRepository, 'heartbeat'>,
    private readonly run: RunEntity,
    intervalMs = INTERVAL_MS,
  ) {
    this.timer = setInterval(() => void this.beat(), intervalMs);
  }

  /** Aborted with a {@link LeaseLostError} when this process no longer holds the lease. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Sets the progress that the next heartbeat records. */
  report(progress: StageProgress): void {
    this.progress = progress;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async beat(): Promise<void> {
    if (this.beating) return;
    this.beating = true;
    const { progress } = this;
    this.progress = null;
    try {
      await this.lifecycle.heartbeat(this.run, progress);
    } catch (error) {
      this.progress ??= progress;
      // Other errors are ignored: the lease outlasts a database that is down for a few beats.
      if (error instanceof LeaseLostError) {
        this.stop();
        this.controller.abort(error);
      }
    } finally {
      this.beating = false;
    }
  }
}
