/** Durations of calls in milliseconds, and their percentiles. */
export class Timings {
  private readonly times: number[] = [];

  async measure<T>(work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const result = await work();
    this.times.push(performance.now() - started);
    return result;
  }

  /** Adds a duration that was measured elsewhere. */
  add(durationMs: number): void {
    this.times.push(durationMs);
  }

  get count(): number {
    return this.times.length;
  }

  /** @param share 0..1 */
  percentile(share: number): number {
    const sorted = this.times.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? NaN;
  }

  /** A row of a printed table. */
  row(): Record<string, number> {
    return {
      calls: this.count,
      'p50 ms': round(this.percentile(0.5)),
      'p90 ms': round(this.percentile(0.9)),
      'p99 ms': round(this.percentile(0.99)),
      'max ms': round(this.percentile(1)),
    };
  }
}

/** Rounds to two decimals. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
