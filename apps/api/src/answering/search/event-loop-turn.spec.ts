import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { eventLoopTurn } from './event-loop-turn.js';

it('eventLoopTurn gives each caller a turn of its own', async () => {
  let turn = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turn += 1) await setImmediate();
  })();
  const turns = await Promise.all(
    Array.from({ length: 16 }, async () => {
      await eventLoopTurn();
      return turn;
    }),
  );
  isOver = true;
  await counting;
  expect(new Set(turns).size).toBe(16);
  expect(turns).toEqual(turns.toSorted((a, b) => a - b));
});
