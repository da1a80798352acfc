import type { Citewell, Datasource, DatasourceStatus } from '@citewell/sdk';
import { describe, expect, it } from '@jest/globals';
import { waitForMany } from './add-all.js';

/** A client whose list shows the next of the given states at each reading, newest first. */
function clientWith(states: readonly Readonly<Record<string, DatasourceStatus>>[]) {
  const read: string[][] = [];
  const list = async function* (): AsyncGenerator<Datasource> {
    const ids: string[] = [];
    const state = states[Math.min(read.push(ids), states.length) - 1] ?? {};
    for (const [id, status] of Object.entries(state)) {
      ids.push(id);
      yield { id, status } as Datasource;
    }
  };
  return { client: { datasources: { list } } as unknown as Citewell, read };
}

describe('waitForMany', () => {
  it('reads the list until all have ended, and no older ones', async () => {
    const { client, read } = clientWith([
      { e: 'running', d: 'unsynched', c: 'running', b: 'synched', a: 'synched', _: 'running' },
      { e: 'running', d: 'running', c: 'error', b: 'synched', a: 'synched', _: 'running' },
      { e: 'running', c: 'error', b: 'synched', a: 'synched', _: 'running' },
    ]);
    const ended: number[] = [];
    const synched = await waitForMany(client, ['b', 'c', 'd'], {
      datastoreId: 'x',
      onProgress: (count) => ended.push(count),
      pauseMs: 0,
    });
    // `d` is deleted meanwhile, and `c` has failed.
    expect([...synched.keys()]).toEqual(['b']);
    expect(ended).toEqual([1, 2, 3]);
    expect(read.at(-1)).toEqual(['e', 'c', 'b', 'a']);
  });
});
