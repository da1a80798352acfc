import { describe, expect, it } from '@jest/globals';
import { BodyBudget } from './body-budget.js';

const MEGABYTE = 1024 * 1024;
const refused = expect.objectContaining({ code: 'RATE_LIMIT', retryAfterSeconds: 1 });

describe('BodyBudget', () => {
  it('limits the bytes of a key, until they are released', () => {
    const budget = new BodyBudget();
    const first = budget.open('a');
    expect(first.add(40 * MEGABYTE)).toBe(40 * MEGABYTE);
    expect(() => budget.open('a').add(30 * MEGABYTE)).toThrow(refused);
    first.release();
    first.release();
    expect(budget.open('a').add(60 * MEGABYTE)).toBe(60 * MEGABYTE);
  });

  it('limits the bytes of all keys', () => {
    const budget = new BodyBudget();
    for (const key of ['a', 'b']) budget.open(key).add(60 * MEGABYTE);
    expect(() => budget.open('c').add(10 * MEGABYTE)).toThrow(refused);
  });

  it('accepts small bodies at any time', () => {
    const budget = new BodyBudget();
    for (const key of ['a', 'b']) budget.open(key).add(63 * MEGABYTE);
    expect(budget.open('a').add(MEGABYTE / 4)).toBe(MEGABYTE / 4);
  });

  it('counts a growing body once', () => {
    const budget = new BodyBudget();
    const body = budget.open('a');
    for (let part = 0; part < 60; part += 1) body.add(MEGABYTE);
    expect(body.add(0)).toBe(60 * MEGABYTE);
    body.release();
    expect(budget.open('a').add(64 * MEGABYTE)).toBe(64 * MEGABYTE);
  });
});
