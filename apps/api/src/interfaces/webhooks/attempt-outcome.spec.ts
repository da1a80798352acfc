import { describe, expect, it } from '@jest/globals';
import { attemptOutcome, RETRY_DELAYS_SECONDS } from './attempt-outcome.js';

describe('attemptOutcome', () => {
  it.each([200, 202, 204, 299])('counts %i as a delivery', (responseStatus) => {
    expect(attemptOutcome({ responseStatus }, 1, 0.5)).toEqual({
      responseStatus,
      error: null,
      retryAfterSeconds: null,
      isGone: false,
    });
  });

  it.each([301, 304, 307, 400, 401, 404, 409, 429, 500, 503])('tries again after %i', (responseStatus) => {
    expect(attemptOutcome({ responseStatus }, 1, 0)).toEqual({
      responseStatus,
      error: 'HTTP_STATUS',
      retryAfterSeconds: 5,
      isGone: false,
    });
  });

  it('tries again without a response', () => {
    expect(attemptOutcome({ error: 'TIMEOUT' }, 2, 0)).toEqual({
      responseStatus: null,
      error: 'TIMEOUT',
      retryAfterSeconds: 60,
      isGone: false,
    });
  });

  it('ends after 410, at once', () => {
    expect(attemptOutcome({ responseStatus: 410 }, 1, 0)).toEqual({
      responseStatus: 410,
      error: 'HTTP_STATUS',
      retryAfterSeconds: null,
      isGone: true,
    });
  });

  it('makes nine attempts in 41 h 36 min, and adds up to a tenth to each delay', () => {
    const delaysOf = (random: number): (number | null)[] =>
      Array.from({ length: 10 }, (_, index) => attemptOutcome({ error: 'TIMEOUT' }, index + 1, random)).map(
        ({ retryAfterSeconds }) => retryAfterSeconds,
      );
    expect(delaysOf(0)).toEqual([...RETRY_DELAYS_SECONDS, null, null]);
    expect(RETRY_DELAYS_SECONDS.reduce((sum, delay) => sum + delay, 0)).toBe(41 * 3_600 + 36 * 60 + 5);
    expect(delaysOf(1)[1]).toBeCloseTo(66);
    // A process that was killed during the last attempt does not begin anew.
    expect(attemptOutcome({ error: 'TIMEOUT' }, 12, 0).retryAfterSeconds).toBeNull();
  });
});
