import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CitewellError } from '../citewell-error.js';
import { parseRetryAfter, retryDelayMs } from './retry-policy.js';

const GET = { isRetryable: true, hasIdempotencyKey: false };
const KEYED = { isRetryable: true, hasIdempotencyKey: true };
const POST = { isRetryable: false, hasIdempotencyKey: false };

describe('retryDelayMs', () => {
  it('retries only transient failures of retryable requests', () => {
    for (const status of [429, 502, 503, 504])
      assert.notEqual(retryDelayMs(new CitewellError('X', '', { status }), GET, 0), null);
    for (const status of [400, 402, 403, 404, 409, 410, 413, 415, 500, 507])
      assert.equal(retryDelayMs(new CitewellError('X', '', { status }), GET, 0), null);
    for (const code of ['NETWORK', 'TIMEOUT']) {
      assert.notEqual(retryDelayMs(new CitewellError(code, ''), GET, 0), null);
      assert.equal(retryDelayMs(new CitewellError(code, ''), POST, 0), null);
    }
    assert.equal(retryDelayMs(new CitewellError('STREAM_INCOMPLETE', ''), GET, 0), null);
    assert.equal(retryDelayMs(new Error('aborted'), GET, 0), null);
  });

  it('doubles the delay up to a maximum, with jitter', () => {
    const error = new CitewellError('NETWORK', '');
    assert.deepEqual(
      [0, 1, 2, 9].map((attempt) => retryDelayMs(error, GET, attempt, 1)),
      [500, 1_000, 2_000, 8_000],
    );
    assert.equal(retryDelayMs(error, GET, 0, 0), 250);
  });

  it('follows Retry-After up to 60 seconds', () => {
    const busy = (retryAfterSeconds: number) =>
      new CitewellError('RATE_LIMIT', '', { status: 429, retryAfterSeconds });
    assert.equal(retryDelayMs(busy(7), GET, 0), 7_000);
    assert.equal(retryDelayMs(busy(0), GET, 0), 0);
    assert.equal(retryDelayMs(busy(61), GET, 0), null);
  });

  it('retries a conflict only while the first request with the idempotency key is in progress', () => {
    const running = new CitewellError('CONFLICT', '', { status: 409, retryAfterSeconds: 1 });
    assert.equal(retryDelayMs(running, KEYED, 0), 1_000);
    assert.equal(retryDelayMs(running, GET, 0), null);
    assert.equal(retryDelayMs(new CitewellError('CONFLICT', '', { status: 409 }), KEYED, 0), null);
  });
});

it('parseRetryAfter reads seconds and dates', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  assert.equal(parseRetryAfter(' 12 ', now), 12);
  assert.equal(parseRetryAfter('Thu, 01 Jan 2026 00:00:09 GMT', now), 9);
  assert.equal(parseRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now), 0);
  assert.equal(parseRetryAfter('soon', now), null);
  assert.equal(parseRetryAfter(null, now), null);
});
