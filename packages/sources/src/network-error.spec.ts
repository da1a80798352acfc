import { expect, it } from '@jest/globals';
import { retryAfterOf } from './network-error.js';

it.each([
  ['0', { retryAfterMs: 0 }],
  ['7', { retryAfterMs: 7_000 }],
  ['9999999999', { retryAfterMs: 86_400_000 }],
  ['Fri, 31 Dec 9999 23:59:59 GMT', { retryAfterMs: 86_400_000 }],
  ['soon', {}],
])('a wait of %s', (value, expected) => {
  expect(retryAfterOf(new Headers({ 'retry-after': value }))).toEqual(expected);
});

it('no wait without the header', () => {
  expect(retryAfterOf(new Headers())).toEqual({});
});
