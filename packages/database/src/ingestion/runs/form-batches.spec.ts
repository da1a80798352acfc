import { describe, expect, it } from '@jest/globals';
import { formBatches, type PendingRun } from './form-batches.js';

const runs = (organizationId: string, sizes: readonly (number | null)[], batchesInFlight = 0): PendingRun[] =>
  sizes.map((size, n) => ({
    organizationId,
    batchesInFlight,
    datasourceId: `${organizationId}${n}`,
    runId: `${organizationId}${n}`,
    delivery: 0,
    size,
    failures: 0,
    crashes: 0,
  }));
const crashed = (sizes: readonly (number | null)[]): PendingRun[] =>
  runs('a', sizes).map((run) => ({ ...run, crashes: 1 }));
const failed = (sizes: readonly number[]): PendingRun[] =>
  runs('a', sizes).map((run) => ({ ...run, failures: 1 }));
const small = (count: number): number[] => Array.from({ length: count }, () => 1_000);

describe('formBatches', () => {
  for (const [name, pending, limits, batches] of [
    ['puts small runs together', runs('a', small(3)), [9, 32], ['1 a0 a1 a2']],
    ['fills batches in order', runs('a', small(5)), [9, 2], ['1 a0 a1', '2 a2 a3', '3 a4']],
    ['returns the first batches', runs('a', small(5)), [1, 2], ['1 a0 a1']],
    ['limits the size', runs('a', [60_000, 60_000, 60_000]), [9, 32], ['1 a0 a1', '2 a2']],
    ['delivers a run of the largest size', runs('a', [128_000, 1]), [9, 32], ['1 a0', '2 a1']],
    [
      'delivers runs alone that are not small',
      runs('a', [1, null, 1, null]),
      [9, 32],
      ['1 a0 a2', '2 a1', '3 a3'],
    ],
    ['delivers runs alone that have failed', failed(small(2)), [9, 32], ['1 a0', '2 a1']],
    [
      'takes turns by batches',
      [...runs('a', small(6)), ...runs('b', small(3))],
      [4, 2],
      ['1 a0 a1', '1 b0 b1', '2 a2 a3', '2 b2'],
    ],
    [
      'prefers the organization with fewer batches in flight',
      [...runs('a', small(4)), ...runs('b', small(4), 1)],
      [3, 2],
      ['1 a0 a1', '2 a2 a3', '2 b0 b1'],
    ],
    [
      'puts no two runs of a datasource together',
      runs('a', small(2)).map((run) => ({ ...run, datasourceId: 'd' })),
      [9, 32],
      ['1 a0', '2 a1'],
    ],
    [
      'leaves slots to other organizations',
      [...runs('a', small(6), 1), ...runs('b', small(6))],
      [9, 2, 2],
      ['1 b0 b1', '2 a0 a1', '2 b2 b3'],
    ],
    ['forms none beyond the limit of an organization', runs('a', small(3), 2), [9, 32, 2], []],
    [
      'delivers one suspect at a time',
      [...crashed(small(3)), ...runs('b', small(2))],
      [9, 32],
      ['1 a0', '1 b0 b1'],
    ],
    [
      'delivers no second suspect',
      [...crashed(small(3)), ...runs('b', small(2))],
      [9, 32, 9, 0],
      ['1 b0 b1'],
    ],
    [
      'delivers runs that have crashed and are not small',
      crashed([null, 1, null, 1]),
      [9, 32],
      ['1 a0', '2 a1', '3 a2'],
    ],
    ['forms none of nothing', [], [9, 32], []],
  ] as const) {
    it(name, () => {
      const [batchLimit, runLimit, perOrganization = 9, suspects = 1] = limits;
      const formed = formBatches(pending, { batches: batchLimit, runs: runLimit, perOrganization, suspects });
      expect(formed.map((one) => [one.priority, ...one.runs.map(({ runId }) => runId)].join(' '))).toEqual(
        batches,
      );
      expect(new Set(formed.map(({ id }) => id)).size).toBe(formed.length);
    });
  }
});
