import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import { Slots } from './slots.js';

const never = new AbortController().signal;

describe('Slots', () => {
  /** Work that ends when it is told to. */
  function work(slots: Slots, count: number, { signal = never, holder = 'somebody' } = {}) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const state = { isRunning: false, end: resolve, done: Promise.resolve() };
    state.done = slots.hold({ count, holder }, signal, () => {
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

  it('gives the next place to the holder that has the fewest', async () => {
    const slots = new Slots(2);
    const many = Array.from({ length: 5 }, () => work(slots, 1, { holder: 'many' }));
    const few = Array.from({ length: 2 }, () => work(slots, 1, { holder: 'few' }));
    const running = (): boolean[] => [...many, ...few].map(({ isRunning }) => isRunning);
    await tick();
    assert.deepEqual(running(), [true, true, false, false, false, false, false]);
    many[0]?.end();
    await tick();
    assert.deepEqual(running(), [true, true, false, false, false, true, false]);
    few[0]?.end();
    await tick();
    assert.deepEqual(running(), [true, true, false, false, false, true, true]);
    few[1]?.end();
    await tick();
    assert.deepEqual(running(), [true, true, true, false, false, true, true]);
  });

  it('gives it, of those that have as many, to the one whose work has taken less time', async () => {
    const slots = new Slots(1);
    const order: string[] = [];
    const piece = (holder: string, tookMs: number): Promise<void> =>
      slots.hold({ count: 1, holder }, never, async () => {
        order.push(holder);
        if (tookMs > 0) await sleep(tookMs);
      });
    const slow = [piece('slow', 20), piece('slow', 20), piece('slow', 20)];
    const quick = async (): Promise<void> => {
      for (let time = 0; time < 3; time += 1) await piece('quick', 0);
    };
    await Promise.all([...slow, quick(), quick()]);
    assert.deepEqual(order.slice(0, 3), ['slow', 'quick', 'quick']);
    assert.ok(order.filter((holder) => holder === 'slow').length === 3);
    assert.ok(order.lastIndexOf('quick') < order.lastIndexOf('slow'), order.join());
  });

  it('keeps those waiting for all places no longer than what their holder has takes', async () => {
    const slots = new Slots(2);
    const mine = work(slots, 1, { holder: 'me' });
    const others = work(slots, 1, { holder: 'other' });
    const alone = work(slots, 2, { holder: 'me' });
    others.end();
    mine.end();
    await tick();
    const later = work(slots, 1, { holder: 'third' });
    await tick();
    assert.deepEqual([alone.isRunning, later.isRunning], [true, false]);
  });

  it('lets others pass when one gives up, and gives places back when work fails', async () => {
    const slots = new Slots(1);
    const first = work(slots, 1);
    const giving = new AbortController();
    const second = work(slots, 1, { signal: giving.signal });
    const third = work(slots, 1);
    giving.abort(new Error('enough'));
    await assert.rejects(second.done, /enough/);
    first.end();
    await tick();
    assert.deepEqual([second.isRunning, third.isRunning], [false, true]);
    third.end();
    await assert.rejects(
      slots.hold({ count: 1 }, never, () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.equal(await slots.hold({ count: 1 }, never, async () => 'free'), 'free');
    await assert.rejects(
      slots.hold({ count: 1 }, giving.signal, async () => 'not begun'),
      /enough/,
    );
  });
});
