import { describe, expect, it } from '@jest/globals';
import { RateLimiter } from './rate-limiter.js';

describe('RateLimiter', () => {
  it('accepts the requests of a minute at once, then one per refill, separately for each key', () => {
    let now = 0;
    const limiter = new RateLimiter(60, () => now);
    for (let i = 0; i < 60; i += 1) expect(limiter.take('a')).toBe(0);
    expect(limiter.take('a')).toBe(1);
    expect(limiter.take('b')).toBe(0);
    now += 1_000;
    expect(limiter.take('a')).toBe(0);
    expect(limiter.take('a')).toBe(1);
  });

  it('returns the seconds to wait', () => {
    const limiter = new RateLimiter(2, () => 0);
    limiter.take('a');
    limiter.take('a');
    expect(limiter.take('a')).toBe(30);
  });

  it('accepts what is larger than the bucket, and refuses what follows until it is paid for', () => {
    let now = 0;
    const limiter = new RateLimiter(60, () => now);
    expect(limiter.take('a', 50)).toBe(0);
    expect(limiter.take('a', 100)).toBe(0);
    expect(limiter.take('a', 1)).toBe(91);
    now += 91_000;
    expect(limiter.take('a', 1)).toBe(0);
    expect(limiter.take('a', 1)).toBe(1);
  });

  it('counts what was used beyond the tokens that were taken', () => {
    const limiter = new RateLimiter(60, () => 0);
    expect(limiter.take('a', 1)).toBe(0);
    limiter.spend('a', 100);
    expect(limiter.take('a', 1)).toBe(42);
  });

  it('has no limit when the limit is 0', () => {
    const limiter = new RateLimiter(0);
    for (let i = 0; i < 1_000; i += 1) expect(limiter.take('a')).toBe(0);
  });
});
