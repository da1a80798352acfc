/**
 * Does something again and again: at intervals, and at once when woken. It never overlaps itself; being woken
 * while it works means one more round.
 */
export class Wakeable {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private isWoken = false;
  private isStopped = true;

  constructor(
    private readonly intervalMs: number,
    private readonly work: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.isStopped = false;
    this.wake();
  }

  wake(): void {
    if (this.isStopped) return;
    this.isWoken = true;
    this.round ??= this.rounds().finally(() => {
      this.round = undefined;
      // Woken between the last look and now.
      if (this.isWoken) this.wake();
    });
  }

  /** Resolves when nothing is being done any more. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  private async rounds(): Promise<void> {
    clearTimeout(this.timer);
    while (this.isWoken && !this.isStopped) {
      this.isWoken = false;
      await this.work().catch(this.onError);
    }
    if (!this.isStopped) this.timer = setTimeout(() => this.wake(), this.intervalMs);
  }
}
