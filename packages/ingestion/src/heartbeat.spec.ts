import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { LeaseLostError, RunEntity, type StageProgress } from '@citewell/database';
import { Heartbeat } from './heartbeat.js';

describe('heartbeat', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  async function beats(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      mock.timers.tick(1_000);
      await settled();
    }
  }

  it('writes the latest progress at every beat, until it is stopped', async () => {
    const seen: (StageProgress | null)[] = [];
    const heartbeat = new Heartbeat(
      { heartbeat: async (_run, progress) => void seen.push(progress) },
      new RunEntity(),
    );
    await beats(1);
    heartbeat.report({ done: 1, total: 4 });
    heartbeat.report({ done: 2, total: 4 });
    await beats(1);
    heartbeat.stop();
    await beats(3);
    assert.deepEqual(seen, [null, { done: 2, total: 4 }]);
  });

  it('aborts the work when the lease is lost, and asks no more', async () => {
    let asked = 0;
    const lost = new LeaseLostError('r');
    const heartbeat = new Heartbeat(
      {
        heartbeat: async () => {
          asked += 1;
          throw lost;
        },
      },
      new RunEntity(),
    );
    await beats(3);
    assert.equal(heartbeat.signal.aborted, true);
    assert.equal(heartbeat.signal.reason, lost);
    assert.equal(asked, 1);
  });

  it('goes on when the database is away for a moment', async () => {
    let asked = 0;
    const heartbeat = new Heartbeat(
      {
        heartbeat: async () => {
          asked += 1;
          if (asked < 3) throw new Error('Connection terminated');
        },
      },
      new RunEntity(),
    );
    await beats(4);
    heartbeat.stop();
    assert.equal(heartbeat.signal.aborted, false);
    assert.equal(asked, 4);
  });

  it('does not pile up beats that wait for an answer', async () => {
    let asked = 0;
    let answer: () => void = () => undefined;
    const heartbeat = new Heartbeat(
      {
        heartbeat: () => {
          asked += 1;
          return new Promise((resolve) => {
            answer = resolve;
          });
        },
      },
      new RunEntity(),
    );
    await beats(5);
    assert.equal(asked, 1);
    answer();
    await settled();
    await beats(1);
    assert.equal(asked, 2);
    heartbeat.stop();
  });
});
