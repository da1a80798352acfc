import { describe, expect, it } from '@jest/globals';
import { BoundedMemo } from './bounded-memo.js';

describe('BoundedMemo', () => {
  it('holds at most two generations and keeps entries that are used', () => {
    const memo = new BoundedMemo<string>(10);
    memo.set('kept', 'value');
    for (let i = 0; i < 1_000; i++) {
      memo.set(`word ${i}`, 'value');
      expect(memo.get('kept')).toBe('value');
      expect(memo.size).toBeLessThanOrEqual(20);
    }
    expect(memo.get('word 0')).toBeUndefined();
  });
});
