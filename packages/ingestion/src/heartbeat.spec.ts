import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { LeaseLostError, RunEntity, type StageProgress } from '@citewell/database';
import { Heartbeat } from './heartbeat.js';

describe('heartbeat', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  async function advanceBeats(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      mock.timers.tick(1_000);
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
    assert.deepEqual(recorded, [null, { done: 2, total: 4 }]);
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
    assert.equal(heartbeat.signal.aborted, true);
    assert.equal(heartbeat.signal.reason, lost);
    assert.equal(beatCount, 1);
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
    assert.equal(heartbeat.signal.aborted, false);
    assert.equal(beatCount, 4);
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
    assert.equal(beatCount, 1);
    answer();
    await flushPromises();
    await advanceBeats(1);
    assert.equal(beatCount, 2);
    heartbeat.stop();
  });
});
