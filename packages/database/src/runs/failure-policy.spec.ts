import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { INGESTION_ERRORS, IngestionError, type IngestionErrorCode } from '@citewell/contracts/errors';
import { failureLimit, pauseMs } from './failure-policy.js';

const transient = new IngestionError('DEPENDENCY_UNAVAILABLE');
const limited = new IngestionError('RATE_LIMITED');

describe('failure policy', () => {
  it('limits the failures of every code by its class', () => {
    // The keys of a constant table are its type's.
    for (const code of Object.keys(INGESTION_ERRORS) as IngestionErrorCode[]) {
      const { failure } = INGESTION_ERRORS[code];
      const limit = failureLimit(new IngestionError(code));
      if (failure === 'permanent' || failure === 'cancelled') assert.equal(limit, 1, code);
      if (failure === 'rate-limited') assert.equal(limit, Number.POSITIVE_INFINITY, code);
      if (failure === 'transient') assert.equal(limit, code.startsWith('PARSE') ? 3 : 8, code);
    }
  });

  it('doubles the pause up to five minutes, less a random part of up to half', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 8, 9, 20].map((failures) => pauseMs(transient, failures, 1));
    assert.deepEqual(
      longest,
      [1, 2, 4, 8, 16, 32, 64, 128, 256, 300].map((seconds) => seconds * 1_000),
    );
    assert.equal(pauseMs(transient, 3, 0), 2_000);
  });

  it('pauses as long as a provider asks for, up to an hour', () => {
    assert.equal(pauseMs(new IngestionError('RATE_LIMITED', { retryAfterMs: 1_234 }), 0), 1_234);
    assert.equal(pauseMs(new IngestionError('FETCH_FAILED', { retryAfterMs: 90_000 }), 1), 90_000);
    assert.equal(pauseMs(new IngestionError('RATE_LIMITED', { retryAfterMs: 1e12 }), 0), 3_600_000);
    assert.equal(pauseMs(new IngestionError('RATE_LIMITED', { retryAfterMs: -5 }), 0), 0);
  });

  it('pauses up to ten seconds for a provider that does not name a time', () => {
    assert.ok(pauseMs(limited, 0, 0) >= 5_000);
    assert.equal(pauseMs(limited, 7, 1), 10_000);
  });
});
