import assert from 'node:assert/strict';
import { it } from 'node:test';
import { batchesOf } from './batches.js';

it('groups lazily, the last group may be smaller', () => {
  let made = 0;
  function* numbers() {
    for (made = 1; made <= 5; made += 1) yield made;
  }
  const batches = batchesOf(numbers(), 2);
  assert.deepEqual(batches.next().value, [1, 2]);
  assert.equal(made, 2);
  assert.deepEqual([...batches], [[3, 4], [5]]);
  assert.deepEqual([...batchesOf([], 2)], []);
});
