import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { BoundedMemo } from './bounded-memo.js';

describe('BoundedMemo', () => {
  it('holds at most two generations and keeps entries that are used', () => {
    const memo = new BoundedMemo<string>(10);
    memo.set('kept', 'value');
    for (let i = 0; i < 1_000; i++) {
      memo.set(`word ${i}`, 'value');
      assert.equal(memo.get('kept'), 'value');
      assert.ok(memo.size <= 20);
    }
    assert.equal(memo.get('word 0'), undefined);
  });
});
