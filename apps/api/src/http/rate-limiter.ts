/**
 * A limit of requests a minute for each key, as a token bucket: a minute's worth may come at once, then one at a
 * time as they refill. Counts live in this process; with n API processes a key gets up to n times the limit.
 */
export class RateLimiter {
  private readonly buckets = new Map<string, { tokens: number; at: number }>();

  /** @param perMinute 0 is no limit */
  constructor(
    private readonly perMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes one request. Returns 0, or the seconds after which there is room. */
  take(key: string): number {
    if (this.perMinute === 0) return 0;
    const perMs = this.perMinute / 60_000;
    const at = this.now();
    const bucket = this.buckets.get(key) ?? { tokens: this.perMinute, at };
    const tokens = Math.min(this.perMinute, bucket.tokens + (at - bucket.at) * perMs);
    const allowed = tokens >= 1;
    this.buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at });
    if (this.buckets.size > MAX_BUCKETS) this.forgetFull(at, perMs);
    return allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMs / 1_000));
  }

  /** A bucket that is full again is as good as none. */
  private forgetFull(at: number, perMs: number): void {
    for (const [key, bucket] of this.buckets) {
      if (bucket.tokens + (at - bucket.at) * perMs >= this.perMinute) this.buckets.delete(key);
    }
  }
}

const MAX_BUCKETS = 10_000;
