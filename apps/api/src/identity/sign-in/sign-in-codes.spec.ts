import { afterEach, expect, it, jest } from '@jest/globals';
import { SignInCodes } from './sign-in-codes.js';

const DAY_MS = 24 * 60 * 60_000;

afterEach(() => {
  jest.useRealTimers();
});

it('SignInCodes redeems a code once, within a day', () => {
  jest.useFakeTimers();
  const codes = new SignInCodes();
  const [first, second] = [codes.issue('o'), codes.issue('o')];
  expect(codes.redeem('unknown')).toBeNull();
  expect([codes.redeem(first), codes.redeem(first)]).toEqual(['o', null]);
  jest.advanceTimersByTime(DAY_MS);
  expect(codes.redeem(second)).toBeNull();
});
