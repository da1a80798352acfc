import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import { PollingLoop } from './polling-loop.js';

describe('PollingLoop', () => {
  it('never overlaps runs, and a wake during a run causes one more run', async () => {
    let running = 0;
    let runs = 0;
    const finishRun: (() => void)[] = [];
    const loop = new PollingLoop(
      60_000,
      async () => {
        running += 1;
        assert.equal(running, 1);
        runs += 1;
        await new Promise<void>((resolve) => finishRun.push(resolve));
        running -= 1;
      },
      (error) => assert.fail(String(error)),
    );
    loop.start();
    loop.wake();
    loop.wake();
    finishRun.shift()?.();
    await tick();
    assert.equal(runs, 2);
    finishRun.shift()?.();
    await tick();
    assert.equal(runs, 2);
    await loop.stop();
    loop.wake();
    assert.equal(runs, 2);
  });

  it('continues at its interval after an error', async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const task = async (): Promise<void> => {
      runs += 1;
      throw new Error('broken');
    };
    const loop = new PollingLoop(5, task, (error) => errors.push(error));
    loop.start();
    while (runs < 3) await sleep(5);
    await loop.stop();
    assert.ok(errors.length >= 3);
  });
});
