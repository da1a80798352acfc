import { afterEach, expect, it, jest } from '@jest/globals';
import { SignInCodes } from './sign-in-codes.js';

const KEY = { id: 'k', organizationId: 'o', scopes: ['read'], expiresAt: null, publishable: null };
const DAY_MS = 24 * 60 * 60_000;

afterEach(() => {
  jest.useRealTimers();
});

it('SignInCodes redeems a code once, within a day', () => {
  jest.useFakeTimers();
  const codes = new SignInCodes();
  const [first, second] = [codes.issue(KEY), codes.issue(KEY)];
  expect(codes.redeem('unknown')).toBeNull();
  expect([codes.redeem(first), codes.redeem(first)]).toEqual([KEY, null]);
  jest.advanceTimersByTime(DAY_MS);
  expect(codes.redeem(second)).toBeNull();
});
