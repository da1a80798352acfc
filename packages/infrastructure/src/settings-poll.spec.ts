import type { ModelSetting } from '@citewell/database';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SettingsPoll } from './settings-poll.js';

const setting = (name: string): ModelSetting => ({ name, baseUrl: null, sealedKey: null });
let rows: Map<string, ModelSetting>;
let reads: number;
let isLost: boolean;
let warnings: number;
let poll: SettingsPoll;

beforeEach(() => {
  [rows, reads, isLost, warnings] = [new Map(), 0, false, 0];
  poll = new SettingsPoll(
    {
      all: async () => {
        reads += 1;
        if (isLost) throw new Error('no database');
        return rows;
      },
    },
    { warn: () => void (warnings += 1) },
  );
});

describe('SettingsPoll', () => {
  it('reads once for all followers, which receive their own kind', async () => {
    const seen: unknown[] = [];
    await poll.follow('chat', async (found) => void seen.push(['chat', found?.name]));
    await poll.follow('embedding', async (found) => void seen.push(['embedding', found?.name]));
    rows = new Map([['embedding', setting('openai:m')]]);
    seen.length = 0;
    reads = 0;
    await poll.read();
    expect([seen, reads]).toEqual([
      [
        ['chat', undefined],
        ['embedding', 'openai:m'],
      ],
      1,
    ]);
    poll.beforeApplicationShutdown();
  });

  it('keeps what followers have when the settings cannot be read', async () => {
    const seen: unknown[] = [];
    await poll.follow('chat', async (found) => void seen.push(found));
    isLost = true;
    await poll.read();
    expect([seen, warnings]).toEqual([[null], 1]);
    isLost = false;
    await poll.read();
    expect(seen).toEqual([null, null]);
    poll.beforeApplicationShutdown();
  });

  it('does not let an earlier read overtake a later one', async () => {
    const seen: unknown[] = [];
    const gate = Promise.withResolvers<void>();
    await poll.follow('chat', async (found) => {
      if (found?.name === 'a') await gate.promise;
      seen.push(found?.name);
    });
    rows = new Map([['chat', setting('a')]]);
    const first = poll.read();
    await Promise.resolve();
    await Promise.resolve();
    rows = new Map([['chat', setting('b')]]);
    const second = poll.read();
    gate.resolve();
    await Promise.all([first, second]);
    expect(seen).toEqual([undefined, 'a', 'b']);
    poll.beforeApplicationShutdown();
  });
});
