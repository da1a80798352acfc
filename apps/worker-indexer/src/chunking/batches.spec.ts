import assert from 'node:assert/strict';
import { it } from 'node:test';
import { batchesOf } from './batches.js';

it('groups lazily, with a shorter last group', () => {
  let yielded = 0;
  function* numbers() {
    for (yielded = 1; yielded <= 5; yielded += 1) yield yielded;
  }
  const batches = batchesOf(numbers(), 2);
  assert.deepEqual(batches.next().value, [1, 2]);
  assert.equal(yielded, 2);
  assert.deepEqual([...batches], [[3, 4], [5]]);
  assert.deepEqual([...batchesOf([], 2)], []);
});
