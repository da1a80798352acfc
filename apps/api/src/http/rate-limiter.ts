/** With more buckets than this, full ones are deleted at every request. */
const CLEANUP_THRESHOLD = 10_000;

/**
 * Limits the requests per minute and key with a token bucket. The bucket holds the requests of one minute.
 * Buckets are kept per process: with n API processes, a key gets up to n times the limit.
 */
export class RateLimiter {
  private readonly buckets = new Map<string, { tokens: number; at: number }>();

  /**
   * @param perMinute requests; 0 is no limit
   * @param now clock in ms
   */
  constructor(
    private readonly perMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts one request. @returns 0, or the seconds to wait when the limit is exceeded */
  take(key: string): number {
    if (this.perMinute === 0) return 0;
    const perMs = this.perMinute / 60_000;
    const at = this.now();
    const bucket = this.buckets.get(key) ?? { tokens: this.perMinute, at };
    const tokens = Math.min(this.perMinute, bucket.tokens + (at - bucket.at) * perMs);
    const allowed = tokens >= 1;
    this.buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at });
    if (this.buckets.size > CLEANUP_THRESHOLD) this.deleteFullBuckets(at, perMs);
    return allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMs / 1_000));
  }

  /** A full bucket is equivalent to a new one. */
  private deleteFullBuckets(at: number, perMs: number): void {
    for (const [key, bucket] of this.buckets) {
      if (bucket.tokens + (at - bucket.at) * perMs >= this.perMinute) this.buckets.delete(key);
    }
  }
}

/** The limit of one client that uses a publishable key, which all visitors of a page share. */
export class VisitorRateLimiter extends RateLimiter {}
