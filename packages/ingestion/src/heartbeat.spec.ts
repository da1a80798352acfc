import { LeaseLostError, RunEntity, type StageProgress } from '@citewell/database';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Heartbeat } from './heartbeat.js';

describe('heartbeat', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  async function advanceBeats(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      jest.advanceTimersByTime(1_000);
      await flushPromises();
    }
  }

  it('records the latest progress at every beat until it is stopped', async () => {
    const recorded: (StageProgress | null)[] = [];
    const heartbeat = new Heartbeat(
      { heartbeat: async (_run, progress) => void recorded.push(progress) },
      new RunEntity(),
    );
    await advanceBeats(1);
    heartbeat.report({ done: 1, total: 4 });
    heartbeat.report({ done: 2, total: 4 });
    await advanceBeats(1);
    heartbeat.stop();
    await advanceBeats(3);
    expect(recorded).toEqual([null, { done: 2, total: 4 }]);
  });

  it('aborts the work and stops beating when the lease is lost', async () => {
    let beatCount = 0;
    const lost = new LeaseLostError('r');
    const heartbeat = new Heartbeat(
      {
        heartbeat: async () => {
          beatCount += 1;
          throw lost;
        },
      },
      new RunEntity(),
    );
    await advanceBeats(3);
    expect(heartbeat.signal.aborted).toBe(true);
    expect(heartbeat.signal.reason).toBe(lost);
    expect(beatCount).toBe(1);
  });

  it('continues when the database fails for a few beats', async () => {
    let beatCount = 0;
    const heartbeat = new Heartbeat(
      {
        heartbeat: async () => {
          beatCount += 1;
          if (beatCount < 3) throw new Error('Connection terminated');
        },
      },
      new RunEntity(),
    );
    await advanceBeats(4);
    heartbeat.stop();
    expect(heartbeat.signal.aborted).toBe(false);
    expect(beatCount).toBe(4);
  });

  it('sends no second beat while one is unanswered', async () => {
    let beatCount = 0;
    let answer: () => void = () => undefined;
    const heartbeat = new Heartbeat(
      {
        heartbeat: () => {
          beatCount += 1;
          return new Promise((resolve) => {
            answer = resolve;
          });
        },
      },
      new RunEntity(),
    );
    await advanceBeats(5);
    expect(beatCount).toBe(1);
    answer();
    await flushPromises();
    await advanceBeats(1);
    expect(beatCount).toBe(2);
    heartbeat.stop();
  });
});
