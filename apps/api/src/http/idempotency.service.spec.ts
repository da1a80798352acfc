import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { API_ERROR_CODES, API_ERROR_STATUS, type ApiErrorCode } from '@citewell/contracts/errors';
import { type IdempotencyRepository, type IdempotencyState, newId, TenantScope } from '@citewell/database';
import { createLogger } from '@citewell/observability';
import { ApiError } from './api-error.js';
import { hashOf, IdempotencyService, type PreparedRequest } from './idempotency.service.js';

const KEPT: readonly ApiErrorCode[] = ['INVALID_REQUEST', 'NOT_FOUND', 'GONE', 'UNSUPPORTED_MEDIA_TYPE'];

/** The rows of one organization and route, as the repository keeps them. */
class FakeKeys {
  readonly rows = new Map<string, { hash: string; status: number; response: unknown } | null>();

  async begin(_tenant: TenantScope, _route: string, key: string): Promise<'first' | 'taken'> {
    if (this.rows.has(key)) return 'taken';
    this.rows.set(key, null);
    return 'first';
  }

  async look(_tenant: TenantScope, _route: string, key: string, hash: string): Promise<IdempotencyState> {
    const row = this.rows.get(key);
    if (row === undefined) return { kind: 'first' };
    if (row === null) return { kind: 'in-progress' };
    if (row.hash !== hash) return { kind: 'other-request' };
    return { kind: 'answered', status: row.status, response: row.response };
  }

  async finish(
    ...[, , key, hash, status, response]: Parameters<IdempotencyRepository['finish']>
  ): Promise<void> {
    this.rows.set(key, { hash, status, response: JSON.parse(JSON.stringify(response)) });
  }

  async release(_tenant: TenantScope, _route: string, key: string): Promise<void> {
    if (this.rows.get(key) === null) this.rows.delete(key);
  }
}

function serviceOver(keys: Partial<FakeKeys>) {
  // The service uses only what the fake has.
  const repository = keys as unknown as IdempotencyRepository;
  const service = new IdempotencyService(repository, createLogger('test', 'silent'));
  const tenant = new TenantScope(newId());
  return (key: string | undefined, prepare: () => Promise<PreparedRequest<string>>) =>
    service.once(tenant, 'POST /things', key, prepare);
}

const refusing = (body: unknown, error: () => Error) => async () => ({
  hash: hashOf(body),
  execute: () => Promise.reject(error()),
});
const answering = (body: unknown, answer: string) => async () => ({
  hash: hashOf(body),
  execute: async () => answer,
});

describe('an Idempotency-Key', () => {
  for (const code of API_ERROR_CODES) {
    const isKept = KEPT.includes(code);
    it(`${isKept ? 'keeps' : 'is free again after'} ${code}`, async () => {
      const keys = new FakeKeys();
      const once = serviceOver(keys);
      const details = [{ path: 'a', message: 'is wrong' }];
      const error = new ApiError(code, 'No.', { details });
      await assert.rejects(
        once(
          'k',
          refusing('body', () => error),
        ),
        error,
      );
      assert.equal(keys.rows.get('k')?.status, isKept ? API_ERROR_STATUS[code] : undefined);
      const again = once('k', answering('body', 'done'));
      if (!isKept) return assert.equal(await again, 'done');
      await assert.rejects(again, { code, message: 'No.', status: error.status, details });
      await assert.rejects(once('k', answering('other body', 'done')), { code: 'CONFLICT' });
    });
  }

  it('keeps no failure of ours, and says nothing of it', async () => {
    const once = serviceOver(new FakeKeys());
    await assert.rejects(
      once(
        'k',
        refusing('body', () => new Error('bug')),
      ),
      /bug/,
    );
    assert.equal(await once('k', answering('body', 'done')), 'done');
  });

  it('is not used by what was refused while it was read', async () => {
    const once = serviceOver(new FakeKeys());
    const unreadable = () => Promise.reject(new ApiError('INVALID_REQUEST', 'A field is bad.'));
    await assert.rejects(once('k', unreadable), { code: 'INVALID_REQUEST' });
    assert.equal(await once('k', answering('corrected body', 'done')), 'done');
    assert.equal(await once('k', answering('corrected body', 'not again')), 'done');
  });

  it('takes back what a second request has left, and says when the first is under way', async () => {
    const once = serviceOver(new FakeKeys());
    let finish: (answer: string) => void = () => undefined;
    const first = once('k', async () => ({
      hash: 'h',
      execute: () => new Promise<string>((resolve) => (finish = resolve)),
    }));
    await new Promise(setImmediate);
    const discarded: string[] = [];
    const second = {
      hash: 'h',
      execute: async () => 'twice',
      discard: async () => void discarded.push('x'),
    };
    await assert.rejects(
      once('k', async () => second),
      { code: 'CONFLICT', retryAfterSeconds: 1 },
    );
    finish('done');
    assert.equal(await first, 'done');
    assert.equal(await once('k', async () => second), 'done');
    assert.equal(discarded.length, 2);
  });

  it('lets the error through that was first, also when the key cannot be freed', async () => {
    const keys = new FakeKeys();
    const once = serviceOver({
      begin: keys.begin.bind(keys),
      release: () => Promise.reject(new Error('the database is away')),
    });
    const cause = new ApiError('UPSTREAM_UNAVAILABLE', 'Later.');
    await assert.rejects(
      once(
        'k',
        refusing('body', () => cause),
      ),
      cause,
    );
  });

  it('is made of visible characters', async () => {
    const once = serviceOver(new FakeKeys());
    for (const bad of ['', ' ', 'a b', 'ä', 'x'.repeat(256)])
      await assert.rejects(once(bad, answering('body', 'done')), { code: 'INVALID_REQUEST' });
    assert.equal(await once(undefined, answering('body', 'without')), 'without');
  });
});
