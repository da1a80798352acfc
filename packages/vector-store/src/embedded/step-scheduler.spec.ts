import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
    assert.equal(await scheduler.read(logSteps(log, 'r', 2)), 'r');
    assert.deepEqual(await Promise.all(writes), ['w', 'v']);
    assert.equal(log.join(''), 'rrwwwwwv');
  });

  it('interleaves reads, and runs a write step after every eight read steps', async () => {
    const scheduler = new StepScheduler();
    const log: string[] = [];
    const tasks = [logSteps(log, 'a', 9), logSteps(log, 'b', 9)].map((steps) => scheduler.read(steps));
    await Promise.all([...tasks, scheduler.write(logSteps(log, 'w', 2))]);
    assert.equal(log.join(''), 'ababababwababababwab');
  });

  it('rejects with the error of a step, and runs later tasks', async () => {
    const scheduler = new StepScheduler();
    const failing = (): never => {
      throw new Error('no');
    };
    await assert.rejects(scheduler.write(failing), /no/);
    assert.equal(await scheduler.write(logSteps([], 'w', 1)), 'w');
    await scheduler.whenIdle();
  });
});
