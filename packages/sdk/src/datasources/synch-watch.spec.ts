import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CitewellError } from '../citewell-error.js';
import type { Datasource } from '../wire.types.js';
import { DatasourceFailedError } from './datasource-failed-error.js';
import { watchUntilSynched } from './synch-watch.js';

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

/** Shows one state after the other, the last one for ever. */
function looker(...states: Partial<Datasource>[]): () => Promise<Datasource> {
  let looks = 0;
  return async () => datasource(states[Math.min(looks++, states.length - 1)] ?? {});
}

describe('watchUntilSynched', () => {
  it('goes on until nothing is under way, and tells news once', async () => {
    const seen: string[] = [];
    const result = await watchUntilSynched(
      looker(
        // The previous revision still answers while a new one is made.
        { status: 'synched', progress: PROGRESS },
        { status: 'synched', progress: PROGRESS },
        { status: 'synched', revision: 2 },
      ),
      { onProgress: ({ status, progress }) => seen.push(`${status} ${progress?.stage ?? 'done'}`) },
    );
    assert.equal(result.revision, 2);
    assert.deepEqual(seen, ['synched parsing', 'synched done']);
  });

  it('takes a web site with some failed pages for synched', async () => {
    const result = await watchUntilSynched(looker({ status: 'synched', error: failed('PARTIAL') }));
    assert.equal(result.error?.code, 'PARTIAL');
  });

  for (const [status, code] of [
    ['error', 'CORRUPT_FILE'],
    ['usage_limit_reached', 'USAGE_LIMIT'],
    ['unsynched', 'CANCELLED'],
  ] as const) {
    it(`throws when it ended as ${status}`, async () => {
      await assert.rejects(watchUntilSynched(looker({ status, error: failed(code) })), (error: unknown) => {
        assert.ok(error instanceof DatasourceFailedError && error instanceof CitewellError);
        assert.equal(error.code, code);
        assert.equal(error.message, 'It is bad.');
        assert.equal(error.datasource.id, 'd');
        return true;
      });
    });
  }

  it('ends at its limit of time, also while it looks', async () => {
    const isTimeout = { code: 'TIMEOUT', message: 'The datasource is not synched after 0.02 s.' };
    await assert.rejects(watchUntilSynched(looker({ progress: PROGRESS }), { timeoutMs: 20 }), isTimeout);
    const stuck = (signal: AbortSignal): Promise<Datasource> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    await assert.rejects(watchUntilSynched(stuck, { timeoutMs: 20 }), isTimeout);
  });

  it('throws the reason of an abort', async () => {
    const reason = new Error('enough');
    const { signal } = abortedIn(10, reason);
    await assert.rejects(watchUntilSynched(looker({ progress: PROGRESS }), { signal }), reason);
    await assert.rejects(watchUntilSynched(looker({}), { signal: AbortSignal.abort(reason) }), reason);
  });

  it('throws what onProgress throws, and what looking throws', async () => {
    const reason = new RangeError('x');
    const onProgress = (): void => {
      throw reason;
    };
    await assert.rejects(watchUntilSynched(looker({}), { onProgress }), reason);
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
