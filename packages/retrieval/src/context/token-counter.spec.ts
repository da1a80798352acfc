import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { countTokens } from './token-counter.js';

describe('countTokens', () => {
  it('counts the tokens of a text', () => {
    assert.equal(countTokens(''), 0);
    assert.equal(countTokens('hello world'), 2);
  });

  it('counts control tokens as text', () => assert.ok(countTokens('<|endoftext|>') > 1));

  it('is fast on long runs without spaces', () => {
    const start = performance.now();
    assert.ok(countTokens('a'.repeat(200_000)) > 1_000);
    assert.ok(performance.now() - start < 2_000);
  });
});
