/** A process that has worked for this long has started well. */
const GOOD_START_MS = 60_000;

/** How long to wait before a process that has ended is started again. */
export class RestartPause {
  private pauseMs: number;

  constructor(private readonly limits: { readonly firstMs: number; readonly longestMs: number }) {
    this.pauseMs = limits.firstMs;
  }

  /**
   * @param startedAt of the process that has ended, by `performance.now()`
   * @returns milliseconds: the first pause if the process had started well, otherwise twice the last pause, up to the longest
   */
  next(startedAt: number): number {
    const { firstMs, longestMs } = this.limits;
    const isGood = performance.now() - startedAt > GOOD_START_MS;
    this.pauseMs = isGood ? firstMs : Math.min(2 * this.pauseMs, longestMs);
    return this.pauseMs;
  }
}
