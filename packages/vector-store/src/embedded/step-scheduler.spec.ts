import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StepScheduler } from './step-scheduler.js';
import type { Steps } from './step-scheduler.js';

function* stepping(log: string[], name: string, count: number): Steps<string> {
  for (let i = 0; i < count; i++) {
    log.push(name);
    yield;
  }
  return name;
}

describe('StepScheduler', () => {
  it('lets reads pass a long write, and writes follow each other', async () => {
    const scheduler = new StepScheduler();
    const log: string[] = [];
    const writes = [scheduler.write(stepping(log, 'w', 5)), scheduler.write(stepping(log, 'v', 1))];
    assert.equal(await scheduler.read(stepping(log, 'r', 2)), 'r');
    assert.deepEqual(await Promise.all(writes), ['w', 'v']);
    assert.equal(log.join(''), 'rrwwwwwv');
  });

  it('takes readers in turn and gives a writer its share', async () => {
    const scheduler = new StepScheduler();
    const log: string[] = [];
    const tasks = [stepping(log, 'a', 9), stepping(log, 'b', 9)].map((steps) => scheduler.read(steps));
    await Promise.all([...tasks, scheduler.write(stepping(log, 'w', 2))]);
    assert.equal(log.join(''), 'ababababwababababwab');
  });

  it('rejects with what a step throws, and goes on', async () => {
    const scheduler = new StepScheduler();
    const failing = (): never => {
      throw new Error('no');
    };
    await assert.rejects(scheduler.write(failing), /no/);
    assert.equal(await scheduler.write(stepping([], 'w', 1)), 'w');
    await scheduler.whenIdle();
  });
});
