import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CitewellError } from '../citewell-error.js';
import { DatasourceFailedError } from './datasource-failed-error.js';
import type { Datasource } from './datasources.types.js';
import { watchUntilSynched } from './watch-until-synched.js';

const PROGRESS = { stage: 'parsing', done: 1, total: 2, failed: 0, percent: 30, etaSeconds: 1 } as const;

function datasource(changes: Partial<Datasource>): Datasource {
  return {
    id: 'd',
    type: 'file',
    name: 'a.pdf',
    status: 'unsynched',
    groupId: null,
    createdAt: '2026-01-01',
    updatedAt: '2026-01-01',
    lastSynch: null,
    config: {},
    datastoreId: 's',
    customId: null,
    progress: null,
    error: null,
    stats: { chunks: 0, characters: 0, bytes: 0, pages: 0, durationMs: 0 },
    revision: 0,
    timestamps: { createdAt: '', updatedAt: '', lastSynch: null },
    ...changes,
  };
}

const failed = (code: string) => ({ code, message: 'It is bad.', retryable: false });

/** A poll that returns one state after the other, and then always the last one. */
function pollOf(...states: Partial<Datasource>[]): () => Promise<Datasource> {
  let polls = 0;
  return async () => datasource(states[Math.min(polls++, states.length - 1)] ?? {});
}

describe('watchUntilSynched', () => {
  it('polls until no run is in progress and reports each change once', async () => {
    const reported: string[] = [];
    const result = await watchUntilSynched(
      pollOf(
        // The previous revision still serves while a new one is indexed.
        { status: 'synched', progress: PROGRESS },
        { status: 'synched', progress: PROGRESS },
        { status: 'synched', revision: 2 },
      ),
      { onProgress: ({ status, progress }) => reported.push(`${status} ${progress?.stage ?? 'done'}`) },
    );
    assert.equal(result.revision, 2);
    assert.deepEqual(reported, ['synched parsing', 'synched done']);
  });

  it('accepts a web site with some failed pages as synched', async () => {
    const result = await watchUntilSynched(pollOf({ status: 'synched', error: failed('PARTIAL') }));
    assert.equal(result.error?.code, 'PARTIAL');
  });

  for (const [status, code] of [
    ['error', 'CORRUPT_FILE'],
    ['usage_limit_reached', 'USAGE_LIMIT'],
    ['unsynched', 'CANCELLED'],
  ] as const) {
    it(`throws for the final status ${status}`, async () => {
      await assert.rejects(watchUntilSynched(pollOf({ status, error: failed(code) })), (error: unknown) => {
        assert.ok(error instanceof DatasourceFailedError && error instanceof CitewellError);
        assert.equal(error.code, code);
        assert.equal(error.message, 'It is bad.');
        assert.equal(error.datasource.id, 'd');
        return true;
      });
    });
  }

  it('ends after its timeout, also during a poll', async () => {
    const isTimeout = { code: 'TIMEOUT', message: 'The datasource is not synched after 0.02 s.' };
    await assert.rejects(watchUntilSynched(pollOf({ progress: PROGRESS }), { timeoutMs: 20 }), isTimeout);
    const pending = (signal: AbortSignal): Promise<Datasource> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    await assert.rejects(watchUntilSynched(pending, { timeoutMs: 20 }), isTimeout);
  });

  it('throws the reason of the aborted signal', async () => {
    const reason = new Error('enough');
    const { signal } = abortedIn(10, reason);
    await assert.rejects(watchUntilSynched(pollOf({ progress: PROGRESS }), { signal }), reason);
    await assert.rejects(watchUntilSynched(pollOf({}), { signal: AbortSignal.abort(reason) }), reason);
  });

  it('rethrows the errors of onProgress and of a poll', async () => {
    const reason = new RangeError('x');
    const onProgress = (): void => {
      throw reason;
    };
    await assert.rejects(watchUntilSynched(pollOf({}), { onProgress }), reason);
    const gone = new CitewellError('NOT_FOUND', '', { status: 404 });
    await assert.rejects(
      watchUntilSynched(() => Promise.reject(gone)),
      gone,
    );
  });
});

function abortedIn(milliseconds: number, reason: Error): AbortController {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), milliseconds);
  return controller;
}
