import type { BlobStore } from '@citewell/blob-store';
import { loadConfig } from '@citewell/config';
import type { BlobRepository, PurgeRepository } from '@citewell/database';
import { FaultPoints } from '@citewell/observability';
import type { VectorStore } from '@citewell/vector-store';
import { describe, expect, it } from '@jest/globals';
import { PurgeHandler } from './purge.handler.js';

const LEASE_SECONDS = 7;

/**
 * Executes one round of the purges of two datasources with two retired runs, or two blobs.
 *
 * @returns the recorded calls
 */
async function purge(
  kind: 'runs' | 'datasource',
  round: number,
  { pointsLeft = 0, spaces = ['s'], isLate = false, failing = '', calls = new Array<string>() } = {},
): Promise<string[]> {
  const record =
    (name: string) =>
    async (...args: unknown[]): Promise<void> =>
      void calls.push([name, ...args.map((arg) => JSON.stringify(arg))].join(' '));
  const claimed = [
    { id: 'p', targetId: 'd' },
    { id: 'q', targetId: 'e' },
  ];
  const purges = {
    begin: async () => (isLate ? null : { organizationId: 'o', kind, round, purges: claimed }),
    unlessBackupRuns: (work: () => Promise<void>) => work(),
    // The second run ended after this purge was requested. The third one stopped serving after the points were deleted.
    retiredRuns: async (_organizationId: string, _datasourceIds: string[], purgeIds?: string[]) =>
      purgeIds === undefined
        ? [
            { runId: 'r', space: 's' },
            { runId: 'later', space: 's' },
          ]
        : [
            { runId: 'r', space: 's' },
            { runId: 'since', space: 's' },
          ],
    // A third blob lost its last reference after the first query, so it was not deleted.
    retiredBlobs: async (_organizationId: string, _datasourceIds: string[], runIds: string[]) =>
      runIds.length === 2 ? runIds : [...runIds, 'since'],
    blobsOf: async () => ['a', 'b'],
    forgetPoints: record('forgetPoints'),
    scheduleRound: record('scheduleRound'),
    complete: record('complete'),
    removeDatasources: async () => void calls.push('removeDatasources'),
  };
  const handler = new PurgeHandler(
    // The handler uses only the methods that the fakes have.
    purges as unknown as PurgeRepository,
    { forget: record('forget') } as unknown as BlobRepository,
    { delete: record('delete') } as unknown as BlobStore,
    {
      deleteRun: async () => void calls.push('deleteRun'),
      deleteDatasource: async ({ datasourceId }: { datasourceId: string }) => {
        if (datasourceId === failing) throw new Error(`${datasourceId} fails`);
        calls.push('deleteDatasource');
      },
      listSpaces: async () => spaces.map((name) => ({ name, dense: null })),
      count: async () => pointsLeft,
    } as unknown as VectorStore,
    new FaultPoints(undefined),
    loadConfig({ LEASE_SECONDS: `${LEASE_SECONDS}` }),
  );
  await handler.handle({ organizationId: 'o', batchId: 'b' });
  return calls;
}

describe('PurgeHandler', () => {
  it('carries purges out one by one when they fail together', async () => {
    const calls: string[] = [];
    await expect(purge('datasource', 1, { failing: 'd', calls })).rejects.toThrow('d fails');
    expect(calls).toEqual(['deleteDatasource', 'delete ["a","b"]', `scheduleRound ["q"] 2 ${LEASE_SECONDS}`]);
  });

  it('does nothing when the job is late, as between the rounds', async () => {
    expect(await purge('datasource', 2, { isLate: true })).toEqual([]);
  });

  it('keeps the rows of a deleted datasource while the store has points of it', async () => {
    await expect(purge('datasource', 2, { pointsLeft: 3 })).rejects.toThrow(/3 points/);
  });

  it('does not count points in a space that does not exist', async () => {
    expect(await purge('datasource', 2, { pointsLeft: 3, spaces: [] })).toContain('removeDatasources');
  });

  it('keeps the rows of blobs in the first round, because a late writer may write them again', async () => {
    expect(await purge('runs', 1)).toEqual([
      'deleteRun',
      'deleteRun',
      'delete ["r","later"]',
      `scheduleRound ["p","q"] 2 ${LEASE_SECONDS}`,
    ]);
    expect(await purge('datasource', 1)).toEqual([
      'deleteDatasource',
      'deleteDatasource',
      'delete ["a","b"]',
      `scheduleRound ["p","q"] 2 ${LEASE_SECONDS}`,
    ]);
  });

  it('removes rows in the last round, except those of runs that ended or stopped serving later', async () => {
    expect(await purge('runs', 2)).toEqual([
      'deleteRun',
      'deleteRun',
      'delete ["r","later"]',
      'forget ["r"]',
      'forgetPoints ["r"]',
      'complete ["p","q"]',
    ]);
    expect(await purge('datasource', 2)).toEqual([
      'deleteDatasource',
      'deleteDatasource',
      'delete ["a","b"]',
      'forget ["a","b"]',
      'removeDatasources',
    ]);
  });
});
