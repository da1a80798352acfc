import { WebFetchError } from '@citewell/web';
import { describe, expect, it } from '@jest/globals';
import { pageFailureOf, renderFailureOf } from './fetch-page.handler.js';

const answered = (status: number, retryAfterMs?: number): WebFetchError =>
  new WebFetchError(status === 429 ? 'rate-limited' : 'permanent', 'HTTP_STATUS', `It answered ${status}.`, {
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

describe('a single page that cannot be fetched', () => {
  it('is gone only if it had content; else its address is wrong', () => {
    expect(pageFailureOf(answered(404), true).code).toBe('PAGE_GONE');
    const failure = pageFailureOf(answered(404), false);
    expect([failure.code, failure.sentence]).toEqual(['PAGE_REFUSED', 'It answered 404.']);
  });

  it('fails at last if its server asks for a pause each time', () => {
    const failure = pageFailureOf(answered(429, 90_000), false);
    expect([failure.failure, failure.retryAfterMs]).toEqual(['transient', 90_000]);
  });

  it('has a code for every failure of the browser', () => {
    for (const [reason, code] of [
      ['timeout', 'PARSE_TIMEOUT'],
      ['crashed', 'PARSE_MEMORY'],
      ['too-large', 'PAGE_TOO_LARGE'],
    ] as const)
      expect(renderFailureOf(reason, answered(200)).code).toBe(code);
  });
});
