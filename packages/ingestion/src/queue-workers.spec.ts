import { createLogger } from '@citewell/observability';
import { describe, expect, it } from '@jest/globals';
import { QueueWorker } from './queue-workers.js';

describe('a queue worker', () => {
  it('is registered while it takes jobs, and removed when it has stopped', async () => {
    const calls: string[] = [];
    const worker = new QueueWorker({
      processor: {
        queue: 'parse',
        start: async (slots) => void calls.push(`start with ${slots}`),
        stop: async (graceMs) => void calls.push(`stop within ${graceMs}`),
      },
      slots: 3,
      workers: {
        announce: async (...fields) => void calls.push(`register ${fields.join()}`),
        remove: async (name) => void calls.push(`remove ${name}`),
      },
      processName: 'worker-test',
      graceMs: 100,
      logger: createLogger('test', 'silent'),
    });
    await worker.start();
    await Promise.all([worker.stop(), worker.stop()]);
    expect(calls).toEqual([
      'start with 4',
      'register worker-test,parse,3',
      'stop within 100',
      'remove worker-test',
    ]);
  });
});
