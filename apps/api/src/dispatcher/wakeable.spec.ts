import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import { Wakeable } from './wakeable.js';

describe('Wakeable', () => {
  it('never overlaps itself, and being woken while it works means one more round', async () => {
    let running = 0;
    let rounds = 0;
    const release: (() => void)[] = [];
    const loop = new Wakeable(
      60_000,
      async () => {
        running += 1;
        assert.equal(running, 1);
        rounds += 1;
        await new Promise<void>((resolve) => release.push(resolve));
        running -= 1;
      },
      (error) => assert.fail(String(error)),
    );
    loop.start();
    loop.wake();
    loop.wake();
    release.shift()?.();
    await tick();
    assert.equal(rounds, 2);
    release.shift()?.();
    await tick();
    assert.equal(rounds, 2);
    await loop.stop();
    loop.wake();
    assert.equal(rounds, 2);
  });

  it('goes on after an error, at its interval', async () => {
    const errors: unknown[] = [];
    let rounds = 0;
    const work = async (): Promise<void> => {
      rounds += 1;
      throw new Error('broken');
    };
    const loop = new Wakeable(5, work, (error) => errors.push(error));
    loop.start();
    while (rounds < 3) await sleep(5);
    await loop.stop();
    assert.ok(errors.length >= 3);
  });
});
