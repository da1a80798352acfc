/** With more buckets than this, full ones are deleted at every request. */
const CLEANUP_THRESHOLD = 10_000;

/**
 * Limits the requests, or the bytes, per minute and key with a token bucket. The bucket holds the tokens of one minute.
 * Buckets are kept per process: with n API processes, a key gets up to n times the limit.
 */
export class RateLimiter {
  private readonly buckets = new Map<string, { tokens: number; at: number }>();

  /**
   * @param perMinute requests or bytes; 0 is no limit
   * @param now clock in ms
   */
  constructor(
    private readonly perMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Counts one request, or its bytes. A bucket with a token left may be overdrawn, so that no request is too large.
   *
   * @returns 0, or the seconds to wait when the limit is exceeded
   */
  take(key: string, tokensToTake = 1): number {
    if (this.perMinute === 0) return 0;
    const perMs = this.perMinute / 60_000;
    const at = this.now();
    const bucket = this.buckets.get(key) ?? { tokens: this.perMinute, at };
    const tokens = Math.min(this.perMinute, bucket.tokens + (at - bucket.at) * perMs);
    const allowed = tokens >= 1;
    this.buckets.set(key, { tokens: allowed ? tokens - tokensToTake : tokens, at });
    if (this.buckets.size > CLEANUP_THRESHOLD) this.deleteFullBuckets(at, perMs);
    return allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMs / 1_000));
  }

  /** Whether the key has all tokens of a minute. */
  isFull(key: string): boolean {
    const bucket = this.buckets.get(key);
    return !bucket || bucket.tokens + (this.now() - bucket.at) * (this.perMinute / 60_000) >= this.perMinute;
  }

  /** Counts what has been used beyond the tokens that were taken; a negative number gives tokens back. */
  spend(key: string, tokens: number): void {
    const bucket = this.buckets.get(key);
    if (bucket !== undefined) bucket.tokens -= tokens;
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

/** The limit of the bytes that one organization uploads. */
export class UploadRateLimiter extends RateLimiter {}

/** Counts what is in progress for each key, such as an organization, in this process. */
export class KeyedCounter {
  private readonly counts = new Map<string, number>();

  /** Counts one more, unless there are `limit` already. @returns whether it was counted */
  take(key: string, limit: number): boolean {
    const count = this.counts.get(key) ?? 0;
    if (count >= limit) return false;
    this.counts.set(key, count + 1);
    return true;
  }

  /** Counts one less. */
  release(key: string): void {
    const left = (this.counts.get(key) ?? 1) - 1;
    if (left === 0) this.counts.delete(key);
    else this.counts.set(key, left);
  }
}
