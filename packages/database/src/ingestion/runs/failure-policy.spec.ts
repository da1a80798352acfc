import { INGESTION_ERRORS, IngestionError, type IngestionErrorCode } from '@citewell/contracts/errors';
import { describe, expect, it } from '@jest/globals';
import { failureLimit, pauseMs } from './failure-policy.js';

const transient = new IngestionError('DEPENDENCY_UNAVAILABLE');
const limited = new IngestionError('RATE_LIMITED');

describe('failure policy', () => {
  it('limits the failures of every code by its class', () => {
    // The keys of a constant table are its type's.
    for (const code of Object.keys(INGESTION_ERRORS) as IngestionErrorCode[]) {
      const { failure } = INGESTION_ERRORS[code];
      const limit = failureLimit(new IngestionError(code));
      if (failure === 'permanent' || failure === 'cancelled') expect([code, limit]).toEqual([code, 1]);
      if (failure === 'rate-limited') expect([code, limit]).toEqual([code, Number.POSITIVE_INFINITY]);
      if (failure === 'transient') expect([code, limit]).toEqual([code, code.startsWith('PARSE') ? 3 : 8]);
    }
  });

  it('doubles the pause up to five minutes, less a random part of up to half', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 8, 9, 20].map((failures) => pauseMs(transient, failures, 1));
    expect(longest).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300].map((seconds) => seconds * 1_000));
    expect(pauseMs(transient, 3, 0)).toBe(2_000);
  });

  it('pauses as long as a provider asks for, up to an hour', () => {
    expect(pauseMs(new IngestionError('RATE_LIMITED', { retryAfterMs: 1_234 }), 0)).toBe(1_234);
    expect(pauseMs(new IngestionError('FETCH_FAILED', { retryAfterMs: 90_000 }), 1)).toBe(90_000);
    expect(pauseMs(new IngestionError('RATE_LIMITED', { retryAfterMs: 1e12 }), 0)).toBe(3_600_000);
    expect(pauseMs(new IngestionError('RATE_LIMITED', { retryAfterMs: -5 }), 0)).toBe(0);
  });

  it('pauses up to ten seconds for a provider that does not name a time', () => {
    expect(pauseMs(limited, 0, 0)).toBeGreaterThanOrEqual(5_000);
    expect(pauseMs(limited, 7, 1)).toBe(10_000);
  });
});
