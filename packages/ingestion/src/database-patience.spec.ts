import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { whileDatabaseIsAway } from './database-patience.js';

const away = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('whileDatabaseIsAway', () => {
  it('asks again until the database is back', async () => {
    let calls = 0;
    const answer = await whileDatabaseIsAway(
      async () => {
        calls += 1;
        if (calls < 3) throw away();
        return 'back';
      },
      { pauseMs: 1 },
    );
    assert.deepEqual([answer, calls], ['back', 3]);
  });

  it('passes on what waiting does not mend, at once', async () => {
    let calls = 0;
    const wrong = async (): Promise<void> => {
      calls += 1;
      throw new Error('syntax error');
    };
    await assert.rejects(whileDatabaseIsAway(wrong, { pauseMs: 1 }), /syntax error/);
    assert.equal(calls, 1);
  });

  it('gives up in the end', async () => {
    const down = async (): Promise<void> => {
      throw away();
    };
    await assert.rejects(whileDatabaseIsAway(down, { patienceMs: 5, pauseMs: 1 }), /ECONNREFUSED/);
  });
});
