import { describe, expect, it } from '@jest/globals';
import { BatchScheduler, type Job } from './batch-scheduler.js';

const job = (id: number, lengths: readonly number[], isUrgent = false): Job => ({
  id,
  isUrgent,
  inputs: lengths.map((length) => ({ ids: Array<number>(length).fill(1), typeIds: [] })),
});

function batchesOf(scheduler: BatchScheduler): string[] {
  const batches: string[] = [];
  for (let next = scheduler.next(); next; next = scheduler.next())
    batches.push(`${next.job.id}: ${next.indexes.join(' ')}${next.isLast ? ' end' : ''}`);
  return batches;
}

describe('BatchScheduler', () => {
  it('fills batches with inputs of similar length, including padding', () => {
    const scheduler = new BatchScheduler(12);
    scheduler.add(job(1, [6, 2, 6, 3, 20, 2]));
    expect(batchesOf(scheduler)).toEqual(['1: 1 5 3', '1: 0 2', '1: 4 end']);
  });

  it('runs urgent jobs between the batches of others', () => {
    const scheduler = new BatchScheduler(4);
    scheduler.add(job(1, [4, 4]));
    scheduler.add(job(2, [4]));
    expect(scheduler.next()?.job.id).toBe(1);
    scheduler.add(job(3, [4], true));
    expect(batchesOf(scheduler)).toEqual(['3: 0 end', '1: 1 end', '2: 0 end']);
  });

  it('forgets a cancelled job', () => {
    const scheduler = new BatchScheduler(4);
    scheduler.add(job(1, [4, 4]));
    scheduler.next();
    scheduler.cancel(1);
    expect(batchesOf(scheduler)).toEqual([]);
  });
});
