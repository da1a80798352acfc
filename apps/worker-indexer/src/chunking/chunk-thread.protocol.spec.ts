import { expect, it } from '@jest/globals';
import { batchesOf } from './chunk-thread.protocol.js';

it('groups lazily, with a shorter last group', () => {
  let yielded = 0;
  function* numbers() {
    for (yielded = 1; yielded <= 5; yielded += 1) yield yielded;
  }
  const batches = batchesOf(numbers(), 2);
  expect(batches.next().value).toEqual([1, 2]);
  expect(yielded).toBe(2);
  expect([...batches]).toEqual([[3, 4], [5]]);
  expect([...batchesOf([], 2)]).toEqual([]);
});
