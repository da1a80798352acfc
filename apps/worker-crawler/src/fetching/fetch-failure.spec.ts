import { WebFetchError, type WebFetchErrorCode, type WebFetchErrorKind } from '@citewell/web';
import { describe, expect, it } from '@jest/globals';
import { codeOf, finalFailureOf, retryAt } from './fetch-failure.js';

const NOW = 1_000_000;
const failed = (
  kind: WebFetchErrorKind,
  details: { code?: WebFetchErrorCode; status?: number; retryAfterMs?: number } = {},
): WebFetchError => new WebFetchError(kind, details.code ?? 'HTTP_STATUS', 'It failed.', details);
const pause = (error: WebFetchError, attempts: number): number | null => {
  const at = retryAt(error, attempts, NOW);
  return at === null ? null : at.getTime() - NOW;
};

describe('a failed request', () => {
  it('that may pass is repeated three times, after longer and longer pauses', () => {
    const pauses = [0, 1, 2, 3, 4].map((attempts) => pause(failed('transient', { status: 500 }), attempts));
    expect(pauses).toEqual([2_000, 4_000, 8_000, null, null]);
  });

  it('is repeated when the server asks for it, within an hour', () => {
    for (const kind of ['transient', 'rate-limited'] as const) {
      expect(pause(failed(kind, { retryAfterMs: 90_000 }), 0)).toBe(90_000);
      expect(pause(failed(kind, { retryAfterMs: 1e12 }), 0)).toBe(3_600_000);
      expect(pause(failed(kind, { retryAfterMs: 0 }), 2)).toBe(0);
      expect(pause(failed(kind, { retryAfterMs: 90_000 }), 3)).toBeNull();
    }
  });

  it('that will not pass is not repeated', () => {
    expect(pause(failed('permanent', { status: 404 }), 0)).toBeNull();
    expect(pause(failed('blocked', { retryAfterMs: 1 }), 0)).toBeNull();
  });

  it('has a code for the user', () => {
    const codes = [
      [failed('permanent', { status: 404 }), 'PAGE_GONE'],
      [failed('permanent', { status: 410 }), 'PAGE_GONE'],
      [failed('permanent', { status: 403 }), 'PAGE_REFUSED'],
      [failed('permanent', { code: 'TOO_LARGE' }), 'PAGE_TOO_LARGE'],
      [failed('permanent', { code: 'DECOMPRESSION_BOMB' }), 'PAGE_TOO_LARGE'],
      [failed('transient', { status: 503 }), 'FETCH_FAILED'],
      [failed('rate-limited', { status: 429 }), 'RATE_LIMITED'],
      [failed('blocked', { code: 'ADDRESS_BLOCKED' }), 'ADDRESS_BLOCKED'],
    ] as const;
    for (const [error, code] of codes) expect(codeOf(error)).toBe(code);
  });

  it('says what was tried and what to do when a server asked for a pause each time', () => {
    const { code, sentence } = finalFailureOf(failed('rate-limited', { status: 429 }));
    expect(code).toBe('FETCH_FAILED');
    expect(sentence).toMatch(/status 429\) at every attempt.*given up.*Sync again later/);
    expect(sentence).not.toMatch(/continue/);
  });
});
