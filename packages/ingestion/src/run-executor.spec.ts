import {
  BlobDamagedError,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
} from '@citewell/blob-store';
import { IngestionError } from '@citewell/contracts/errors';
import type { BatchPayload } from '@citewell/contracts/jobs';
import {
  DatasourceEntity,
  type LeasedRun,
  LeaseLostError,
  RunEntity,
  type RunLifecycleRepository,
  type StageProgress,
} from '@citewell/database';
import { ModelError } from '@citewell/models';
import { createLogger, FullStorage, Metrics } from '@citewell/observability';
import { JobAbortedError } from '@citewell/queue';
import { VectorStoreUnavailableError } from '@citewell/vector-store';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  Heartbeat,
  RetryLaterError,
  retryWhileDatabaseIsDown,
  RunExecutor,
  type StageWork,
} from './run-executor.js';

const payload: BatchPayload = {
  organizationId: 'o',
  stage: 'parsing',
  deliveries: [{ datasourceId: 'd', runId: 'r', delivery: 1 }],
};

/** A lifecycle that records its calls. */
class RecordingLifecycle {
  readonly calls: string[] = [];
  leased = [leasedRun('r')];
  recordError: Error | null = null;

  async leaseBatch(_batch: BatchPayload, space?: string): Promise<LeasedRun[]> {
    if (space !== undefined) this.calls.push(`lease for ${space}`);
    return this.leased;
  }

  async heartbeat(): Promise<void> {}

  async fail(run: RunEntity, error: IngestionError): Promise<'pending'> {
    if (this.recordError) throw this.recordError;
    this.calls.push(run.id === 'r' ? `fail ${error.code}` : `fail ${run.id} ${error.code}`);
    return 'pending';
  }

  async release(_run: RunEntity, pauseMs?: number): Promise<void> {
    if (this.recordError) throw this.recordError;
    this.calls.push(pauseMs === undefined ? 'release' : `release for ${pauseMs} ms`);
  }
}

function leasedRun(id: string): LeasedRun {
  const ids = { id, organizationId: 'o', datasourceId: 'd', stage: 'parsing' };
  return {
    run: Object.assign(new RunEntity(), ids),
    datasource: new DatasourceEntity(),
    serving: null,
    reindexed: null,
    wasWriting: false,
  };
}

async function execute(
  stage: (work: StageWork) => Promise<void>,
  {
    lifecycle = new RecordingLifecycle(),
    signal = new AbortController().signal,
    space,
  }: { lifecycle?: RecordingLifecycle; signal?: AbortSignal; space?: string } = {},
) {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('test', 'info', { write: (line) => void lines.push(JSON.parse(line)) });
  const metrics = new Metrics('test');
  // The executor uses only what the fake has.
  const storage = new FullStorage();
  const executor = new RunExecutor(lifecycle as unknown as RunLifecycleRepository, metrics, storage, logger);
  const job = { jobId: 'j', signal };
  await executor.execute(payload, job, stage, space);
  return {
    calls: lifecycle.calls,
    lines,
    outcome: lines.find((line) => line.msg === 'stage ended')?.outcome,
    metrics,
  };
}

describe('run executor', () => {
  const outcomes: [name: string, error: unknown, call: string][] = [
    ['a permanent failure', new IngestionError('CORRUPT_FILE'), 'fail CORRUPT_FILE'],
    [
      'a rate limit of a provider',
      new IngestionError('RATE_LIMITED', { retryAfterMs: 5 }),
      'fail RATE_LIMITED',
    ],
    ['a usage limit', new IngestionError('USAGE_LIMIT'), 'fail USAGE_LIMIT'],
    ['a full blob store', new BlobStoreFullError(), 'fail STORAGE_FULL'],
    ['a missing blob', new BlobNotFoundError('key'), 'fail DEPENDENCY_UNAVAILABLE'],
    ['a damaged blob', new BlobDamagedError('key', 'is shorter'), 'fail CONTENT_DAMAGED'],
    ['an unavailable blob store', new BlobStoreUnavailableError('timeout'), 'fail DEPENDENCY_UNAVAILABLE'],
    [
      'a full vector store',
      new VectorStoreUnavailableError('full', { reason: 'has a full disk' }),
      'fail STORAGE_FULL',
    ],
    [
      'an unavailable vector store',
      new VectorStoreUnavailableError('timeout'),
      'fail DEPENDENCY_UNAVAILABLE',
    ],
    [
      'a rate limit of a model',
      new ModelError('rate-limited', 'slow down', { retryAfterMs: 5 }),
      'fail RATE_LIMITED',
    ],
    ['an unavailable model', new ModelError('transient', 'timeout'), 'fail DEPENDENCY_UNAVAILABLE'],
    ['a refusal of a model', new ModelError('permanent', 'too long'), 'fail MODEL_REFUSED'],
    ['a defect', new TypeError('x is not a function'), 'fail INTERNAL'],
    ['a thrown value that is not an error', 'oops', 'fail INTERNAL'],
  ];
  for (const [name, error, call] of outcomes) {
    it(`records ${name} as ${call}`, async () => {
      const { calls } = await execute(() => Promise.reject(error));
      expect(calls).toEqual([call]);
    });
  }

  it('does not record success: the stage does', async () => {
    const { calls, outcome, metrics } = await execute(() => Promise.resolve());
    expect([calls, outcome]).toEqual([[], 'done']);
    const count = (await metrics.render())
      .split('\n')
      .find((line) => line.startsWith('citewell_stage_duration_seconds_count'));
    expect(count ?? '').toMatch(/stage="parsing",outcome="done"} 1$/);
  });

  it('does not start without the lease', async () => {
    const lifecycle = new RecordingLifecycle();
    lifecycle.leased = [];
    let started = false;
    await execute(
      async () => {
        started = true;
      },
      { lifecycle },
    );
    expect(started).toBe(false);
  });

  it('records nothing when the lease is lost', async () => {
    const { calls, outcome } = await execute(() => Promise.reject(new LeaseLostError('r')));
    expect([calls, outcome]).toEqual([[], 'lease-lost']);
  });

  for (const [reason, call] of [
    ['shutdown', 'release'],
    ['timeout', 'fail TOO_COMPLEX'],
  ] as const) {
    it(`uses the reason of an abort, not the error of the aborted call: ${reason}`, async () => {
      const controller = new AbortController();
      const { calls } = await execute(
        async ({ signal }) => {
          controller.abort(new JobAbortedError(reason));
          expect(signal.aborted).toBeTruthy();
          throw new DOMException('This operation was aborted', 'AbortError');
        },
        { signal: controller.signal },
      );
      expect(calls).toEqual([call]);
    });
  }

  it('releases a run that must be retried later', async () => {
    const { calls, lines, metrics } = await execute(() => Promise.reject(new RetryLaterError('full', 5_000)));
    expect(calls).toEqual(['release for 5000 ms']);
    // Not logged above debug level.
    expect(lines).toEqual([]);
    expect(await metrics.render()).toMatch(/stage="parsing",outcome="retry-later"} 1/);
  });

  it('keeps a success that happened before the abort', async () => {
    const controller = new AbortController();
    const { calls, outcome } = await execute(async () => controller.abort(new JobAbortedError('shutdown')), {
      signal: controller.signal,
    });
    expect([calls, outcome]).toEqual([[], 'done']);
  });

  it('does not throw when the outcome cannot be recorded', async () => {
    for (const [recordError, logged] of [
      [new Error('database is down'), true],
      [new LeaseLostError('r'), false],
    ] as const) {
      const lifecycle = new RecordingLifecycle();
      lifecycle.recordError = recordError;
      const { outcome, lines } = await execute(() => Promise.reject(new Error('x')), { lifecycle });
      expect(outcome).toBe('not-recorded');
      expect(lines.some((line) => line.msg === 'could not record the outcome')).toBe(logged);
    }
  });

  it('logs with the ids of the run', async () => {
    const { lines } = await execute(() => Promise.resolve());
    expect([lines[0]?.runId, lines[0]?.organizationId, lines[0]?.stage]).toEqual(['r', 'o', 'parsing']);
  });

  describe('of a batch', () => {
    const batch = (): RecordingLifecycle => {
      const lifecycle = new RecordingLifecycle();
      lifecycle.leased = ['r', 'a', 'b'].map(leasedRun);
      return lifecycle;
    };

    it('executes all runs at once and records each failure separately', async () => {
      const [lifecycle, done] = [batch(), [] as string[]];
      const last = Promise.withResolvers<void>();
      const { calls, lines } = await execute(
        async ({ run }) => {
          if (run.id === 'b') last.resolve();
          await last.promise;
          if (run.id === 'a') throw new IngestionError('EMPTY_DOCUMENT');
          done.push(run.id);
        },
        { lifecycle },
      );
      expect(done.toSorted()).toEqual(['b', 'r']);
      expect(calls).toEqual(['fail a EMPTY_DOCUMENT']);
      const ended = lines.map(({ runId, outcome }) => [runId, outcome]);
      expect(ended).toEqual(
        expect.arrayContaining([
          ['r', 'done'],
          ['a', 'EMPTY_DOCUMENT'],
          ['b', 'done'],
        ]),
      );
    });

    it('releases all of them when the process stops', async () => {
      const controller = new AbortController();
      const stage = async ({ signal }: StageWork): Promise<void> => {
        controller.abort(new JobAbortedError('shutdown'));
        signal.throwIfAborted();
      };
      const { calls } = await execute(stage, { lifecycle: batch(), signal: controller.signal });
      expect(calls).toEqual(['release', 'release', 'release']);
    });
  });

  it('takes the lease for the space that it writes to', async () => {
    const { calls } = await execute(() => Promise.resolve(), { space: 's' });
    expect(calls).toEqual(['lease for s']);
  });
});

const connectionError = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

const running = new AbortController().signal;

describe('retryWhileDatabaseIsDown', () => {
  it('repeats the work until the database answers', async () => {
    let calls = 0;
    const result = await retryWhileDatabaseIsDown(
      async () => {
        calls += 1;
        if (calls < 3) throw connectionError();
        return 'done';
      },
      running,
      { pauseMs: 1 },
    );
    expect([result, calls]).toEqual(['done', 3]);
  });

  it('rethrows any other error at once', async () => {
    let calls = 0;
    const work = async (): Promise<void> => {
      calls += 1;
      throw new Error('syntax error');
    };
    await expect(retryWhileDatabaseIsDown(work, running, { pauseMs: 1 })).rejects.toThrow(/syntax error/);
    expect(calls).toBe(1);
  });

  it('gives up after the timeout, and sooner in a process that stops', async () => {
    const work = async (): Promise<void> => {
      throw connectionError();
    };
    for (const [signal, times] of [
      [running, { timeoutMs: 5 }],
      [AbortSignal.abort(), { stopTimeoutMs: 5 }],
    ] as const)
      await expect(retryWhileDatabaseIsDown(work, signal, { ...times, pauseMs: 1 })).rejects.toThrow(
        /ECONNREFUSED/,
      );
  });
});

describe('heartbeat', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  async function advanceBeats(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      jest.advanceTimersByTime(1_000);
      await flushPromises();
    }
  }

  it('records the latest progress at every beat until it is stopped', async () => {
    const recorded: (StageProgress | null)[] = [];
    const heartbeat = new Heartbeat(
      { heartbeat: async (_run, progress) => void recorded.push(progress) },
      new RunEntity(),
    );
    await advanceBeats(1);
    heartbeat.report({ done: 1, total: 4 });
    heartbeat.report({ done: 2, total: 4 });
    await advanceBeats(1);
    heartbeat.stop();
    await advanceBeats(3);
    expect(recorded).toEqual([null, { done: 2, total: 4 }]);
  });

  it('aborts the work and stops beating when the lease is lost', async () => {
    let beatCount = 0;
    const lost = new LeaseLostError('r');
    const heartbeat = new Heartbeat(
      {
        heartbeat: async () => {
          beatCount += 1;
          throw lost;
        },
      },
      new RunEntity(),
    );
    await advanceBeats(3);
    expect(heartbeat.signal.aborted).toBe(true);
    expect(heartbeat.signal.reason).toBe(lost);
    expect(beatCount).toBe(1);
  });

  it('continues when the database fails for a few beats', async () => {
    let beatCount = 0;
    const heartbeat = new Heartbeat(
      {
        heartbeat: async () => {
          beatCount += 1;
          if (beatCount < 3) throw new Error('Connection terminated');
        },
      },
      new RunEntity(),
    );
    await advanceBeats(4);
    heartbeat.stop();
    expect(heartbeat.signal.aborted).toBe(false);
    expect(beatCount).toBe(4);
  });

  it('sends no second beat while one is unanswered', async () => {
    let beatCount = 0;
    let answer: () => void = () => undefined;
    const heartbeat = new Heartbeat(
      {
        heartbeat: () => {
          beatCount += 1;
          return new Promise((resolve) => {
            answer = resolve;
          });
        },
      },
      new RunEntity(),
    );
    await advanceBeats(5);
    expect(beatCount).toBe(1);
    answer();
    await flushPromises();
    await advanceBeats(1);
    expect(beatCount).toBe(2);
    heartbeat.stop();
  });
});
