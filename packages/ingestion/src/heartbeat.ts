import {
  LeaseLostError,
  type RunEntity,
  type RunLifecycleRepository,
  type StageProgress,
} from '@citewell/database';

/** Between two heartbeats; a lease is several times as long. */
const INTERVAL_MS = 1_000;

/** Keeps the lease of a run alive and writes its progress, from inside the work itself. */
export class Heartbeat {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private progress: StageProgress | null = null;
  private beating = false;

  constructor(
    private readonly lifecycle: Pick<RunLifecycleRepository, 'heartbeat'>,
    private readonly run: RunEntity,
    intervalMs = INTERVAL_MS,
  ) {
    this.timer = setInterval(() => void this.beat(), intervalMs);
  }

  /** Aborted with a {@link LeaseLostError} when the run is no longer ours. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  report(progress: StageProgress): void {
    this.progress = progress;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async beat(): Promise<void> {
    if (this.beating) return;
    this.beating = true;
    try {
      await this.lifecycle.heartbeat(this.run, this.progress);
    } catch (error) {
      // A database that is away for a moment costs nothing: the lease holds longer than a few beats.
      if (error instanceof LeaseLostError) {
        this.stop();
        this.controller.abort(error);
      }
    } finally {
      this.beating = false;
    }
  }
}
