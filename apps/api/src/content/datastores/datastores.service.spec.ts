import type { ProgressCounts } from '@citewell/database';
import { describe, expect, it } from '@jest/globals';
import { toProgress } from './datastores.service.js';

describe('the progress of a datastore', () => {
  const waiting = { unsynched: 9, running: 1 };
  it.each<
    [string, ProgressCounts, { total: number; documentsPerMinute: number | null; etaSeconds: number | null }]
  >([
    [
      'is the speed since the first recent one, and the time at that speed',
      { counts: { ...waiting, synched: 5 }, recent: 5, recentSeconds: 8 },
      { total: 15, documentsPerMinute: 30, etaSeconds: 20 },
    ],
    [
      'has no speed before the second one',
      { counts: { ...waiting, synched: 1 }, recent: 1, recentSeconds: 3 },
      { total: 11, documentsPerMinute: null, etaSeconds: null },
    ],
    [
      'has no speed if all are synched at the same moment',
      { counts: { ...waiting, synched: 2 }, recent: 2, recentSeconds: 0 },
      { total: 12, documentsPerMinute: null, etaSeconds: null },
    ],
    [
      'has no time left when nothing is in progress, whatever failed',
      { counts: { synched: 3, error: 2, usage_limit_reached: 1 }, recent: 0, recentSeconds: 0 },
      { total: 6, documentsPerMinute: null, etaSeconds: 0 },
    ],
    [
      'is nothing for an empty datastore',
      { counts: {}, recent: 0, recentSeconds: 0 },
      { total: 0, documentsPerMinute: null, etaSeconds: 0 },
    ],
  ])('%s', (_, counts, expected) => {
    expect(toProgress(counts)).toMatchObject(expected);
  });
});
