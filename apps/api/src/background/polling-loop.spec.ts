import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { PollingLoop } from './polling-loop.js';

describe('PollingLoop', () => {
  it('never overlaps executions, and executes once more after a wake during one', async () => {
    let running = 0;
    let executions = 0;
    const finishExecution: (() => void)[] = [];
    const loop = new PollingLoop(
      60_000,
      async () => {
        running += 1;
        expect(running).toBe(1);
        executions += 1;
        await new Promise<void>((resolve) => finishExecution.push(resolve));
        running -= 1;
      },
      (error) => {
        throw error;
      },
    );
    loop.start();
    loop.wake();
    loop.wake();
    finishExecution.shift()?.();
    await tick();
    expect(executions).toBe(2);
    finishExecution.shift()?.();
    await tick();
    expect(executions).toBe(2);
    await loop.stop();
    loop.wake();
    expect(executions).toBe(2);
  });

  it('pauses only after an execution that has found nothing to do', async () => {
    let executions = 0;
    const task = async (): Promise<boolean> => {
      executions += 1;
      return executions < 3;
    };
    const loop = new PollingLoop(60_000, task, () => undefined, 200);
    loop.start();
    for (let wakes = 0; wakes < 5; wakes += 1) {
      loop.wake();
      await tick();
    }
    expect(executions).toBe(3);
    await loop.stop();
  });

  it('continues at its interval after an error', async () => {
    const errors: unknown[] = [];
    let executions = 0;
    const task = async (): Promise<void> => {
      executions += 1;
      throw new Error('broken');
    };
    const loop = new PollingLoop(5, task, (error) => errors.push(error));
    loop.start();
    while (executions < 3) await sleep(5);
    await loop.stop();
    expect(errors.length).toBeGreaterThanOrEqual(3);
  });
});
