import { describe, expect, it } from '@jest/globals';
import { CitewellError } from '../citewell-error.js';
import { parseRetryAfter, retryDelayMs } from './transport.js';

const GET = { isRetryable: true, hasIdempotencyKey: false };
const KEYED = { isRetryable: true, hasIdempotencyKey: true };
const POST = { isRetryable: false, hasIdempotencyKey: false };

describe('retryDelayMs', () => {
  it('retries only transient failures of retryable requests', () => {
    for (const status of [429, 502, 503, 504])
      expect(retryDelayMs(new CitewellError('X', '', { status }), GET, 0)).not.toBeNull();
    for (const status of [400, 402, 403, 404, 409, 410, 413, 415, 500, 507])
      expect(retryDelayMs(new CitewellError('X', '', { status }), GET, 0)).toBeNull();
    for (const code of ['NETWORK', 'TIMEOUT']) {
      expect(retryDelayMs(new CitewellError(code, ''), GET, 0)).not.toBeNull();
      expect(retryDelayMs(new CitewellError(code, ''), POST, 0)).toBeNull();
    }
    expect(retryDelayMs(new CitewellError('STREAM_INCOMPLETE', ''), GET, 0)).toBeNull();
    expect(retryDelayMs(new Error('aborted'), GET, 0)).toBeNull();
  });

  it('doubles the delay up to a maximum, with jitter', () => {
    const error = new CitewellError('NETWORK', '');
    expect([0, 1, 2, 9].map((attempt) => retryDelayMs(error, GET, attempt, 1))).toEqual([
      500, 1_000, 2_000, 8_000,
    ]);
    expect(retryDelayMs(error, GET, 0, 0)).toBe(250);
  });

  it('follows Retry-After up to 60 seconds', () => {
    const busy = (retryAfterSeconds: number) =>
      new CitewellError('RATE_LIMIT', '', { status: 429, retryAfterSeconds });
    expect(retryDelayMs(busy(7), GET, 0)).toBe(7_000);
    expect(retryDelayMs(busy(0), GET, 0)).toBe(0);
    expect(retryDelayMs(busy(61), GET, 0)).toBeNull();
  });

  it('retries a conflict only while the first request with the idempotency key is in progress', () => {
    const running = new CitewellError('CONFLICT', '', { status: 409, retryAfterSeconds: 1 });
    expect(retryDelayMs(running, KEYED, 0)).toBe(1_000);
    expect(retryDelayMs(running, GET, 0)).toBeNull();
    expect(retryDelayMs(new CitewellError('CONFLICT', '', { status: 409 }), KEYED, 0)).toBeNull();
  });
});

it('parseRetryAfter reads seconds and dates', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(parseRetryAfter(' 12 ', now)).toBe(12);
  expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:09 GMT', now)).toBe(9);
  expect(parseRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
  expect(parseRetryAfter('soon', now)).toBeNull();
  expect(parseRetryAfter(null, now)).toBeNull();
});
