import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RateLimiter } from './rate-limiter.js';

describe('RateLimiter', () => {
  it('lets a minute of requests through at once, then as they refill, each key by itself', () => {
    let now = 0;
    const limiter = new RateLimiter(60, () => now);
    for (let i = 0; i < 60; i += 1) assert.equal(limiter.take('a'), 0);
    assert.equal(limiter.take('a'), 1);
    assert.equal(limiter.take('b'), 0);
    now += 1_000;
    assert.equal(limiter.take('a'), 0);
    assert.equal(limiter.take('a'), 1);
  });

  it('says how long to wait', () => {
    const limiter = new RateLimiter(2, () => 0);
    limiter.take('a');
    limiter.take('a');
    assert.equal(limiter.take('a'), 30);
  });

  it('0 is no limit', () => {
    const limiter = new RateLimiter(0);
    for (let i = 0; i < 1_000; i += 1) assert.equal(limiter.take('a'), 0);
  });
});
