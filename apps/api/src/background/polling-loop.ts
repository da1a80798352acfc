import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Executes a task at intervals, and at once when {@link PollingLoop.wake} is called. Executions never
 * overlap. A wake during an execution causes one more right after it, or after a pause if the task has found nothing
 * to do. An error is reported and does not end the loop.
 */
export class PollingLoop {
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> | undefined;
  private isWoken = false;
  private isStopped = true;

  /**
   * @param intervalMs between the end of an execution and the start of the next
   * @param task resolves to false if it has found nothing to do
   * @param pauseMs after an execution that has found nothing to do
   */
  constructor(
    private readonly intervalMs: number,
    private readonly task: () => Promise<boolean | void>,
    private readonly onError: (error: unknown) => void,
    private readonly pauseMs = 0,
  ) {}

  /** Executes the task for the first time, at once. */
  start(): void {
    this.isStopped = false;
    this.wake();
  }

  wake(): void {
    if (this.isStopped) return;
    this.isWoken = true;
    this.current ??= this.runUntilIdle().finally(() => {
      this.current = undefined;
      // A wake may arrive after the last check of `runUntilIdle` and before this callback.
      if (this.isWoken) this.wake();
    });
  }

  /** Starts no further execution. Resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.current;
  }

  private async runUntilIdle(): Promise<void> {
    clearTimeout(this.timer);
    while (this.isWoken && !this.isStopped) {
      this.isWoken = false;
      const hasWorked = await this.task().catch(this.onError);
      if (hasWorked === false) await sleep(this.pauseMs);
    }
    if (!this.isStopped) this.timer = setTimeout(() => this.wake(), this.intervalMs);
  }
}
