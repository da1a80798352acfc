import type { RunDispatchRepository } from '@citewell/database';
import { Metrics } from '@citewell/observability';
import { describe, expect, it } from '@jest/globals';
import { RetentionTask, RunMetricsTask } from './maintenance-tasks.js';

type RunsByStage = Awaited<ReturnType<RunDispatchRepository['runsByStage']>>;

const NO_WAIT = { listing: 0, discovering: 0, fetching: 0, parsing: 0, indexing: 0, embedding: 0 };

describe('run metrics', () => {
  it.each<[string, RunsByStage, Record<string, number>, Record<string, number>]>([
    ['no runs', [], {}, NO_WAIT],
    [
      'runs in several states',
      [
        { stage: 'parsing', state: 'pending', runs: 3, waitSeconds: 40 },
        { stage: 'parsing', state: 'queued', runs: 2, waitSeconds: 70.5 },
        { stage: 'indexing', state: 'active', runs: 1, waitSeconds: 0 },
      ],
      { 'parsing pending': 3, 'parsing queued': 2, 'indexing active': 1 },
      { ...NO_WAIT, parsing: 70.5 },
    ],
  ])('forget earlier values: %s', async (_, runs, counts, waits) => {
    const metrics = new Metrics('test');
    metrics.unfinishedRuns.set({ stage: 'fetching', state: 'pending' }, 9);
    metrics.oldestWaitingRun.set({ stage: 'fetching' }, 9);
    const workers = { recentBlocks: async () => [{ app: 'api', blocks: 2 }] };
    metrics.eventLoopBlocks.set({ process: 'worker-parser' }, 1);
    await new RunMetricsTask({ runsByStage: async () => runs }, workers, metrics).run();
    expect((await metrics.eventLoopBlocks.get()).values).toMatchObject([
      { labels: { process: 'api' }, value: 2 },
    ]);
    const { values } = await metrics.unfinishedRuns.get();
    const { values: ages } = await metrics.oldestWaitingRun.get();
    expect(
      Object.fromEntries(values.map(({ labels, value }) => [`${labels.stage} ${labels.state}`, value])),
    ).toEqual(counts);
    expect(Object.fromEntries(ages.map(({ labels, value }) => [labels.stage, value]))).toEqual(waits);
  });
});

describe('RetentionTask', () => {
  it.each([
    [0, 1],
    [199, 1],
    [200, 2],
    [450, 3],
    [1_000_000, 50],
  ])('removes %i conversations in batches', async (expired, batches) => {
    let left = expired;
    const sizes: number[] = [];
    const logged: unknown[] = [];
    const removeExpired = async (limit: number): Promise<number> => {
      const removed = Math.min(limit, left);
      left -= removed;
      sizes.push(removed);
      return removed;
    };
    const logger = { info: (fields: unknown) => void logged.push(fields) } as never;
    const none = { removeExpired: async () => 0 };
    await new RetentionTask({ removeExpired }, none, none, none, logger).run();
    expect(sizes).toHaveLength(batches);
    const conversations = expired - left;
    expect(logged).toEqual(conversations === 0 ? [] : [{ conversations }]);
  });

  it.each([
    ['events', [5_000, 5_000, 12]],
    ['changes', [2_000, 2_000, 12]],
    ['documents', [500, 500, 12]],
  ])('removes %s in batches', async (kind, sizes) => {
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const logged: unknown[] = [];
    const removeExpired = async (): Promise<number> => sizes.shift() ?? 0;
    const logger = { info: (fields: unknown) => void logged.push(fields) } as never;
    const none = { removeExpired: async () => 0 };
    const [events, changes, documents] = ['events', 'changes', 'documents'].map((one) =>
      one === kind ? { removeExpired } : none,
    ) as [typeof none, typeof none, typeof none];
    await new RetentionTask(none, events, changes, documents, logger).run();
    expect(sizes).toEqual([]);
    expect(logged).toEqual([{ [kind]: total }]);
  });
});
