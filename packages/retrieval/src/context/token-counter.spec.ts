import { describe, expect, it } from '@jest/globals';
import { countTokens } from './token-counter.js';

describe('countTokens', () => {
  it('counts the tokens of a text', () => {
    expect(countTokens('')).toBe(0);
    expect(countTokens('hello world')).toBe(2);
  });

  it('counts control tokens as text', () => expect(countTokens('<|endoftext|>')).toBeGreaterThan(1));

  it('is fast on long runs without spaces', () => {
    const start = performance.now();
    expect(countTokens('a'.repeat(200_000))).toBeGreaterThan(1_000);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
