import { createLogger } from '@citewell/observability';
import { describe, expect, it } from '@jest/globals';
import { WorkerHost } from './worker-host.js';

describe('worker host', () => {
  it('is registered while it takes jobs, and removed when it has stopped', async () => {
    const calls: string[] = [];
    const host = new WorkerHost({
      processor: {
        queue: 'parse',
        start: async (slots) => void calls.push(`start with ${slots}`),
        stop: async (graceMs) => void calls.push(`stop within ${graceMs}`),
      },
      slots: 3,
      workers: {
        announce: async (...worker) => void calls.push(`register ${worker.join()}`),
        remove: async (name) => void calls.push(`remove ${name}`),
      },
      processName: 'worker-test',
      logger: createLogger('test', 'silent'),
    });
    await host.start();
    await Promise.all([host.stop(100), host.stop(0)]);
    expect(calls).toEqual([
      'start with 4',
      'register worker-test,parse,3',
      'stop within 100',
      'remove worker-test',
    ]);
  });
});
