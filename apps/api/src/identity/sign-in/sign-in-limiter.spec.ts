import { expect, it } from '@jest/globals';
import { SignInLimiter } from './sign-in-limiter.js';

const LIMITED = expect.objectContaining({ code: 'RATE_LIMIT', retryAfterSeconds: 6 });

/** Failed attempts of an address until the limit. */
function failures(limiter: SignInLimiter, address: string): number {
  for (let count = 0; count < 1_000; count += 1) {
    try {
      limiter.count(address);
    } catch (error) {
      expect(error).toMatchObject({ code: 'RATE_LIMIT', retryAfterSeconds: expect.any(Number) });
      return count;
    }
  }
  return Infinity;
}

it('SignInLimiter limits the failed attempts of an address', () => {
  let now = 0;
  const limiter = new SignInLimiter(() => now);
  expect(failures(limiter, '192.0.2.1')).toBe(10);
  expect(() => limiter.count('::ffff:192.0.2.1')).toThrow(LIMITED);
  expect(failures(limiter, '192.0.2.2')).toBe(10);
  expect(failures(limiter, '2001:db8::1')).toBe(10);
  expect(failures(limiter, '2001:db8::2')).toBe(0);
  now += 6_000;
  expect(failures(limiter, '192.0.2.1')).toBe(1);
});

it('SignInLimiter does not count attempts that succeed', () => {
  const limiter = new SignInLimiter(() => 0);
  for (let count = 0; count < 1_000; count += 1) limiter.count('192.0.2.1')();
  expect(failures(limiter, '192.0.2.1')).toBe(10);
});

it('SignInLimiter limits all addresses together, but not the first attempt of one', () => {
  const limiter = new SignInLimiter(() => 0);
  for (let n = 0; n < 30; n += 1) expect(failures(limiter, `192.0.2.${n}`)).toBe(10);
  expect(failures(limiter, '198.51.100.1')).toBe(1);
  limiter.count('198.51.100.2')();
});

it('SignInLimiter limits the failed attempts at an account from all addresses', () => {
  const limiter = new SignInLimiter(() => 0);
  for (let n = 0; n < 100; n += 1) limiter.count(`198.51.100.${n}`, 'ada@example.com')();
  for (let n = 0; n < 10; n += 1) limiter.count(`192.0.2.${n}`, 'ada@example.com');
  expect(() => limiter.count('192.0.2.99', 'ada@example.com')).toThrow(LIMITED);
  limiter.count('192.0.2.99', 'grace@example.com');
});
