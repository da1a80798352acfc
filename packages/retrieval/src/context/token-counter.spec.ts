import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { countTokens } from './token-counter.js';

describe('countTokens', () => {
  it('counts', () => {
    assert.equal(countTokens(''), 0);
    assert.equal(countTokens('hello world'), 2);
  });

  it('takes control tokens for text', () => assert.ok(countTokens('<|endoftext|>') > 1));

  it('is quick on long runs', () => {
    const start = performance.now();
    assert.ok(countTokens('a'.repeat(200_000)) > 1_000);
    assert.ok(performance.now() - start < 2_000);
  });
});
