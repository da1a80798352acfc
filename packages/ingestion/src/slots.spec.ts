import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Slots } from './slots.js';

const never = new AbortController().signal;

describe('Slots', () => {
  /** Starts work that ends when `end` is called. */
  function work(slots: Slots, count: number, { signal = never, holder = 'holder' } = {}) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const state = { isRunning: false, end: resolve, done: Promise.resolve() };
    state.done = slots.hold({ count, holder }, signal, () => {
      state.isRunning = true;
      return promise;
    });
    state.done.catch(() => undefined);
    return state;
  }

  it('grants as many as there are slots, oldest request first', async () => {
    const slots = new Slots(2);
    const [first, second, third, fourth] = [1, 1, 1, 1].map((count) => work(slots, count));
    await tick();
    expect([first, second, third, fourth].map((state) => state?.isRunning)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    second?.end();
    await tick();
    expect([third?.isRunning, fourth?.isRunning]).toEqual([true, false]);
  });

  it('makes later requests wait behind a request for all slots', async () => {
    const slots = new Slots(2);
    const before = work(slots, 1);
    const both = work(slots, 2);
    const later = work(slots, 1);
    await tick();
    expect([both.isRunning, later.isRunning]).toEqual([false, false]);
    before.end();
    await tick();
    expect([both.isRunning, later.isRunning]).toEqual([true, false]);
    both.end();
    await tick();
    expect(later.isRunning).toBe(true);
  });

  it('grants the next slot to the holder with the fewest slots', async () => {
    const slots = new Slots(2);
    const many = Array.from({ length: 5 }, () => work(slots, 1, { holder: 'many' }));
    const few = Array.from({ length: 2 }, () => work(slots, 1, { holder: 'few' }));
    const running = (): boolean[] => [...many, ...few].map(({ isRunning }) => isRunning);
    await tick();
    expect(running()).toEqual([true, true, false, false, false, false, false]);
    many[0]?.end();
    await tick();
    expect(running()).toEqual([true, true, false, false, false, true, false]);
    few[0]?.end();
    await tick();
    expect(running()).toEqual([true, true, false, false, false, true, true]);
    few[1]?.end();
    await tick();
    expect(running()).toEqual([true, true, true, false, false, true, true]);
  });

  it('prefers the holder whose work has taken less time when both hold the same number', async () => {
    const slots = new Slots(1);
    const order: string[] = [];
    const unit = (holder: string, durationMs: number): Promise<void> =>
      slots.hold({ count: 1, holder }, never, async () => {
        order.push(holder);
        if (durationMs > 0) await sleep(durationMs);
      });
    const slow = [unit('slow', 20), unit('slow', 20), unit('slow', 20)];
    const quick = async (): Promise<void> => {
      for (let time = 0; time < 3; time += 1) await unit('quick', 0);
    };
    await Promise.all([...slow, quick(), quick()]);
    expect(order.slice(0, 3)).toEqual(['slow', 'quick', 'quick']);
    expect(order.filter((holder) => holder === 'slow').length).toBe(3);
    expect(order.lastIndexOf('quick')).toBeLessThan(order.lastIndexOf('slow'));
  });

  it('grants a request for all slots once running work ends, including work of the same holder', async () => {
    const slots = new Slots(2);
    const first = work(slots, 1, { holder: 'a' });
    const second = work(slots, 1, { holder: 'b' });
    const both = work(slots, 2, { holder: 'a' });
    second.end();
    first.end();
    await tick();
    const later = work(slots, 1, { holder: 'c' });
    await tick();
    expect([both.isRunning, later.isRunning]).toEqual([true, false]);
  });

  it('skips an aborted request, and releases slots when work fails', async () => {
    const slots = new Slots(1);
    const first = work(slots, 1);
    const aborting = new AbortController();
    const second = work(slots, 1, { signal: aborting.signal });
    const third = work(slots, 1);
    aborting.abort(new Error('enough'));
    await expect(second.done).rejects.toThrow(/enough/);
    first.end();
    await tick();
    expect([second.isRunning, third.isRunning]).toEqual([false, true]);
    third.end();
    await expect(slots.hold({ count: 1 }, never, () => Promise.reject(new Error('broken')))).rejects.toThrow(
      /broken/,
    );
    expect(await slots.hold({ count: 1 }, never, async () => 'free')).toBe('free');
    await expect(slots.hold({ count: 1 }, aborting.signal, async () => 'not started')).rejects.toThrow(
      /enough/,
    );
  });
});
