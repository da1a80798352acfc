import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WebFetchError } from '@citewell/web';
import { pageFailureOf } from './page-failure.js';

const answered = (status: number, retryAfterMs?: number): WebFetchError =>
  new WebFetchError(status === 429 ? 'rate-limited' : 'permanent', 'HTTP_STATUS', `It answered ${status}.`, {
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

describe('a page that cannot be fetched', () => {
  it('is gone only if there was one; else its address is wrong', () => {
    assert.equal(pageFailureOf(answered(404), true).code, 'PAGE_GONE');
    const failure = pageFailureOf(answered(404), false);
    assert.deepEqual([failure.code, failure.sentence], ['PAGE_REFUSED', 'It answered 404.']);
  });

  it('is given up some day when its server wants to be asked later each time', () => {
    const failure = pageFailureOf(answered(429, 90_000), false);
    assert.deepEqual([failure.failure, failure.retryAfterMs], ['transient', 90_000]);
  });
});
