import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RateLimiter } from './rate-limiter.js';

describe('RateLimiter', () => {
  it('accepts the requests of a minute at once, then one per refill, separately for each key', () => {
    let now = 0;
    const limiter = new RateLimiter(60, () => now);
    for (let i = 0; i < 60; i += 1) assert.equal(limiter.take('a'), 0);
    assert.equal(limiter.take('a'), 1);
    assert.equal(limiter.take('b'), 0);
    now += 1_000;
    assert.equal(limiter.take('a'), 0);
    assert.equal(limiter.take('a'), 1);
  });

  it('returns the seconds to wait', () => {
    const limiter = new RateLimiter(2, () => 0);
    limiter.take('a');
    limiter.take('a');
    assert.equal(limiter.take('a'), 30);
  });

  it('has no limit when the limit is 0', () => {
    const limiter = new RateLimiter(0);
    for (let i = 0; i < 1_000; i += 1) assert.equal(limiter.take('a'), 0);
  });
});
