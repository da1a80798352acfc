import { describe, expect, it } from '@jest/globals';
import type { Datasource } from '@citewell/contracts';
import { CitewellError } from '../citewell-error.js';
import { DatasourceFailedError, watchUntilSynched } from './watch-until-synched.js';

const PROGRESS = { stage: 'parsing', done: 1, total: 2, failed: 0, percent: 30, etaSeconds: 1 } as const;

function datasource(changes: Partial<Datasource>): Datasource {
  return {
    id: 'd',
    type: 'file',
    title: null,
    name: 'a.pdf',
    status: 'unsynched',
    groupId: null,
    createdAt: '2026-01-01',
    updatedAt: '2026-01-01',
    lastSynch: null,
    config: {},
    datastoreId: 's',
    customId: null,
    mimeType: null,
    sha256: null,
    progress: null,
    semantic: null,
    error: null,
    stats: { chunks: 0, characters: 0, bytes: 0, pages: 0, durationMs: 0, leftOut: {} },
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
    expect(result.revision).toBe(2);
    expect(reported).toEqual(['synched parsing', 'synched done']);
  });

  it('accepts a web site with some failed pages as synched', async () => {
    const result = await watchUntilSynched(pollOf({ status: 'synched', error: failed('PARTIAL') }));
    expect(result.error?.code).toBe('PARTIAL');
  });

  for (const [status, code] of [
    ['error', 'CORRUPT_FILE'],
    ['usage_limit_reached', 'USAGE_LIMIT'],
    ['unsynched', 'CANCELLED'],
  ] as const) {
    it(`throws for the final status ${status}`, async () => {
      const watched = watchUntilSynched(pollOf({ status, error: failed(code) }));
      await expect(watched).rejects.toThrow(DatasourceFailedError);
      await expect(watched).rejects.toThrow(CitewellError);
      await expect(watched).rejects.toMatchObject({ code, message: 'It is bad.', datasource: { id: 'd' } });
    });
  }

  it('ends after its timeout, also during a poll', async () => {
    const timeout = { code: 'TIMEOUT', message: 'The datasource is not synched after 0.02 s.' };
    await expect(watchUntilSynched(pollOf({ progress: PROGRESS }), { timeoutMs: 20 })).rejects.toMatchObject(
      timeout,
    );
    const pending = (signal: AbortSignal): Promise<Datasource> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    await expect(watchUntilSynched(pending, { timeoutMs: 20 })).rejects.toMatchObject(timeout);
  });

  it('throws the reason of the aborted signal', async () => {
    const reason = new Error('enough');
    const { signal } = abortedIn(10, reason);
    await expect(watchUntilSynched(pollOf({ progress: PROGRESS }), { signal })).rejects.toBe(reason);
    await expect(watchUntilSynched(pollOf({}), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('rethrows the errors of onProgress and of a poll', async () => {
    const reason = new RangeError('x');
    const onProgress = (): void => {
      throw reason;
    };
    await expect(watchUntilSynched(pollOf({}), { onProgress })).rejects.toBe(reason);
    const gone = new CitewellError('NOT_FOUND', '', { status: 404 });
    await expect(watchUntilSynched(() => Promise.reject(gone))).rejects.toBe(gone);
  });
});

function abortedIn(milliseconds: number, reason: Error): AbortController {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), milliseconds);
  return controller;
}
