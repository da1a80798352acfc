import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WebFetchError } from '@citewell/web';
import { pageFailureOf, renderFailureOf } from './page-failure.js';

const answered = (status: number, retryAfterMs?: number): WebFetchError =>
  new WebFetchError(status === 429 ? 'rate-limited' : 'permanent', 'HTTP_STATUS', `It answered ${status}.`, {
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

describe('a single page that cannot be fetched', () => {
  it('is gone only if it had content; else its address is wrong', () => {
    assert.equal(pageFailureOf(answered(404), true).code, 'PAGE_GONE');
    const failure = pageFailureOf(answered(404), false);
    assert.deepEqual([failure.code, failure.sentence], ['PAGE_REFUSED', 'It answered 404.']);
  });

  it('fails at last if its server asks for a pause each time', () => {
    const failure = pageFailureOf(answered(429, 90_000), false);
    assert.deepEqual([failure.failure, failure.retryAfterMs], ['transient', 90_000]);
  });

  it('has a code for every failure of the browser', () => {
    for (const [reason, code] of [
      ['timeout', 'PARSE_TIMEOUT'],
      ['crashed', 'PARSE_MEMORY'],
      ['too-large', 'PAGE_TOO_LARGE'],
    ] as const)
      assert.equal(renderFailureOf(reason, answered(200)).code, code);
  });
});
