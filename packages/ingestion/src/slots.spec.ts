import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { Slots } from './slots.js';

const never = new AbortController().signal;

describe('Slots', () => {
  /** Work that ends when it is told to. */
  function work(slots: Slots, count: number, signal = never) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const state = { isRunning: false, end: resolve, done: Promise.resolve() };
    state.done = slots.hold(count, signal, () => {
      state.isRunning = true;
      return promise;
    });
    state.done.catch(() => undefined);
    return state;
  }

  it('holds so many at once, in the order in which they came', async () => {
    const slots = new Slots(2);
    const [first, second, third, fourth] = [1, 1, 1, 1].map((count) => work(slots, count));
    await tick();
    assert.deepEqual(
      [first, second, third, fourth].map((one) => one?.isRunning),
      [true, true, false, false],
    );
    second?.end();
    await tick();
    assert.deepEqual([third?.isRunning, fourth?.isRunning], [true, false]);
  });

  it('gives all places to one who wants them, before those that came later', async () => {
    const slots = new Slots(2);
    const before = work(slots, 1);
    const alone = work(slots, 2);
    const later = work(slots, 1);
    await tick();
    assert.deepEqual([alone.isRunning, later.isRunning], [false, false]);
    before.end();
    await tick();
    assert.deepEqual([alone.isRunning, later.isRunning], [true, false]);
    alone.end();
    await tick();
    assert.equal(later.isRunning, true);
  });

  it('lets others pass when one gives up, and gives places back when work fails', async () => {
    const slots = new Slots(1);
    const first = work(slots, 1);
    const giving = new AbortController();
    const second = work(slots, 1, giving.signal);
    const third = work(slots, 1);
    giving.abort(new Error('enough'));
    await assert.rejects(second.done, /enough/);
    first.end();
    await tick();
    assert.deepEqual([second.isRunning, third.isRunning], [false, true]);
    third.end();
    await assert.rejects(
      slots.hold(1, never, () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.equal(await slots.hold(1, never, async () => 'free'), 'free');
    await assert.rejects(
      slots.hold(1, giving.signal, async () => 'not begun'),
      /enough/,
    );
  });
});
