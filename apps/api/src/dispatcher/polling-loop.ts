/**
 * Executes a task at intervals, and at once when {@link PollingLoop.wake} is called. Executions never
 * overlap. A wake during an execution causes one more right after it. An error is reported and does not end
 * the loop.
 */
export class PollingLoop {
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> | undefined;
  private isWoken = false;
  private isStopped = true;

  /** @param intervalMs between the end of an execution and the start of the next */
  constructor(
    private readonly intervalMs: number,
    private readonly task: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
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
      await this.task().catch(this.onError);
    }
    if (!this.isStopped) this.timer = setTimeout(() => this.wake(), this.intervalMs);
  }
}
