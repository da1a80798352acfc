import { describe, expect, it } from '@jest/globals';
import { StepScheduler } from './step-scheduler.js';
import type { Steps } from './step-scheduler.js';

function* logSteps(log: string[], name: string, count: number): Steps<string> {
  for (let i = 0; i < count; i++) {
    log.push(name);
    yield;
  }
  return name;
}

describe('StepScheduler', () => {
  it('runs reads before a long write, and writes in order', async () => {
    const scheduler = new StepScheduler();
    const log: string[] = [];
    const writes = [scheduler.write(logSteps(log, 'w', 5)), scheduler.write(logSteps(log, 'v', 1))];
    expect(await scheduler.read(logSteps(log, 'r', 2))).toBe('r');
    expect(await Promise.all(writes)).toEqual(['w', 'v']);
    expect(log.join('')).toBe('rrwwwwwv');
  });

  it('interleaves reads, and runs a write step after every eight read steps', async () => {
    const scheduler = new StepScheduler();
    const log: string[] = [];
    const tasks = [logSteps(log, 'a', 9), logSteps(log, 'b', 9)].map((steps) => scheduler.read(steps));
    await Promise.all([...tasks, scheduler.write(logSteps(log, 'w', 2))]);
    expect(log.join('')).toBe('ababababwababababwab');
  });

  it('rejects with the error of a step, and runs later tasks', async () => {
    const scheduler = new StepScheduler();
    const failing = (): never => {
      throw new Error('no');
    };
    await expect(scheduler.write(failing)).rejects.toThrow(/no/);
    expect(await scheduler.write(logSteps([], 'w', 1))).toBe('w');
    await scheduler.whenIdle();
  });
});
