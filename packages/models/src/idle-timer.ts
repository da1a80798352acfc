/** Calls a function when nothing has happened for a time, while it runs. */
export class IdleTimer {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly timeoutMs: number,
    private readonly onIdle: () => void,
  ) {}

  start(): void {
    this.stop();
    this.timer = setTimeout(this.onIdle, this.timeoutMs);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Something has happened. */
  touch(): void {
    this.timer?.refresh();
  }
}
