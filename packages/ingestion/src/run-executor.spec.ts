import {
  BlobDamagedError,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
} from '@citewell/blob-store';
import { IngestionError } from '@citewell/contracts/errors';
import {
  type SiblingLimits,
  DatasourceEntity,
  type LeasedRun,
  LeaseLostError,
  RunEntity,
  type RunLifecycleRepository,
} from '@citewell/database';
import { createLogger, FullStorage, Metrics } from '@citewell/observability';
import { JobAbortedError } from '@citewell/queue';
import { describe, expect, it } from '@jest/globals';
import { RetryLaterError } from './retry-later.error.js';
import { RunExecutor, type StageWork, type ExecuteOptions } from './run-executor.js';

const payload = { organizationId: 'o', datasourceId: 'd', runId: 'r', delivery: 1 };

/** A lifecycle that records its calls. */
class RecordingLifecycle {
  readonly calls: string[] = [];
  lease: LeasedRun | null = {
    run: leasedRun(),
    datasource: new DatasourceEntity(),
    serving: null,
    reindexed: null,
    wasWriting: false,
  };
  /** The siblings of each claim; none afterwards. */
  siblings: LeasedRun[][] | Error = [];
  recordError: Error | null = null;

  async claimDelivered(_payload: unknown, space?: string): Promise<LeasedRun | null> {
    if (space !== undefined) this.calls.push(`claim for ${space}`);
    return this.lease;
  }

  async claimSiblings(_run: RunEntity, limits: SiblingLimits, space?: string): Promise<LeasedRun[]> {
    const slot = limits.takeSlot === true ? ' with a slot' : '';
    this.calls.push(`claim ${limits.runs} siblings for ${space}${slot}`);
    if (this.siblings instanceof Error) throw this.siblings;
    return this.siblings.shift() ?? [];
  }

  async heartbeat(): Promise<void> {}

  async fail(run: RunEntity, error: IngestionError): Promise<'waits'> {
    if (this.recordError) throw this.recordError;
    this.calls.push(run.id === 'r' ? `fail ${error.code}` : `fail ${run.id} ${error.code}`);
    return 'waits';
  }

  async release(_run: RunEntity, pauseMs?: number): Promise<void> {
    if (this.recordError) throw this.recordError;
    this.calls.push(pauseMs === undefined ? 'release' : `release for ${pauseMs} ms`);
  }
}

function leasedRun(id = 'r'): RunEntity {
  return Object.assign(new RunEntity(), { id, organizationId: 'o', datasourceId: 'd', stage: 'parsing' });
}

async function execute(
  stage: (work: StageWork) => Promise<void>,
  {
    lifecycle = new RecordingLifecycle(),
    signal = new AbortController().signal,
    jobs = 1,
    options,
  }: { lifecycle?: RecordingLifecycle; signal?: AbortSignal; jobs?: number; options?: ExecuteOptions } = {},
) {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('test', 'info', { write: (line) => void lines.push(JSON.parse(line)) });
  const metrics = new Metrics('test');
  // The executor uses only what the fake has.
  const storage = new FullStorage();
  const executor = new RunExecutor(lifecycle as unknown as RunLifecycleRepository, metrics, storage, logger);
  const job = { jobId: 'j', signal };
  await Promise.all(Array.from({ length: jobs }, () => executor.execute(payload, job, stage, options)));
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
    lifecycle.lease = null;
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

  describe('with siblings', () => {
    const options: ExecuteOptions = { space: 's', siblings: { runs: 2, size: 10 } };
    const sibling = (id: string): LeasedRun => ({
      run: leasedRun(id),
      datasource: new DatasourceEntity(),
      serving: null,
      reindexed: null,
      wasWriting: false,
    });

    it('executes all of them and records each failure separately', async () => {
      const lifecycle = new RecordingLifecycle();
      lifecycle.siblings = [[sibling('a'), sibling('b')], [], [sibling('c')]];
      const done: string[] = [];
      const stage = async ({ run }: StageWork): Promise<void> => {
        if (run.id === 'a') throw new IngestionError('EMPTY_DOCUMENT');
        done.push(run.id);
      };
      const { calls, lines } = await execute(stage, { lifecycle, options });
      expect(done).toEqual(['r', 'b']);
      const claim = 'claim 2 siblings for s';
      expect(calls).toEqual(['claim for s', claim, claim, 'fail a EMPTY_DOCUMENT']);
      const ended = lines
        .filter((line) => line.msg === 'stage ended')
        .map((line) => [line.runId, line.outcome]);
      expect(ended.toSorted()).toEqual([
        ['a', 'EMPTY_DOCUMENT'],
        ['b', 'done'],
        ['r', 'done'],
      ]);
    });

    it('releases all of them when the process stops', async () => {
      const lifecycle = new RecordingLifecycle();
      lifecycle.siblings = [[sibling('a')], [], [sibling('b')]];
      const controller = new AbortController();
      const stage = async ({ signal }: StageWork): Promise<void> => {
        controller.abort(new JobAbortedError('shutdown'));
        signal.throwIfAborted();
      };
      const { calls } = await execute(stage, { lifecycle, options, signal: controller.signal });
      expect(calls.slice(2)).toEqual(['claim 2 siblings for s', 'release', 'release']);
    });

    it('processes further batches until no sibling waits', async () => {
      const lifecycle = new RecordingLifecycle();
      lifecycle.siblings = [[sibling('a'), sibling('b')], [sibling('c')]];
      const done: string[] = [];
      const stage = async ({ run }: StageWork): Promise<void> => void done.push(run.id);
      const { calls } = await execute(stage, { lifecycle, options });
      expect(done).toEqual(['r', 'a', 'b', 'c']);
      const claim = 'claim 2 siblings for s';
      // A second batch is claimed beside the first one. Those after the first batch take its slot.
      expect(calls).toEqual(['claim for s', claim, claim, `${claim} with a slot`, claim]);
    });

    it('processes two batches at once', async () => {
      const lifecycle = new RecordingLifecycle();
      lifecycle.siblings = [
        [sibling('a'), sibling('b')],
        [sibling('c'), sibling('d')],
      ];
      const second = Promise.withResolvers<void>();
      const stage = async ({ run }: StageWork): Promise<void> => {
        if (run.id === 'c') second.resolve();
        // The first batch ends only after the second one has begun.
        else await second.promise;
      };
      const { outcome } = await execute(stage, { lifecycle, options });
      expect(outcome).toBe('done');
    });

    it('processes batches in one job of the organization at a time; another has few siblings', async () => {
      const lifecycle = new RecordingLifecycle();
      lifecycle.siblings = [[sibling('a')], [sibling('b')], [sibling('c')]];
      const done: string[] = [];
      const stage = async ({ run }: StageWork): Promise<void> => void done.push(run.id);
      const many = { ...options, siblings: { runs: 20, size: 10 } };
      const { calls } = await execute(stage, { lifecycle, options: many, jobs: 2 });
      expect(done.toSorted()).toEqual(['a', 'b', 'c', 'r', 'r']);
      expect(calls.filter((call) => call === 'claim 7 siblings for s')).toHaveLength(1);
      expect(calls.filter((call) => call === 'claim 20 siblings for s')).toHaveLength(3);
    });

    it('executes the delivered run when siblings cannot be claimed', async () => {
      const lifecycle = new RecordingLifecycle();
      lifecycle.siblings = new Error('deadlock detected');
      const { outcome } = await execute(() => Promise.resolve(), { lifecycle, options });
      expect(outcome).toBe('done');
    });

    it('claims none when the stage sets no limits', async () => {
      const { calls } = await execute(() => Promise.resolve(), { options: { space: 's' } });
      expect(calls).toEqual(['claim for s']);
    });
  });
});
