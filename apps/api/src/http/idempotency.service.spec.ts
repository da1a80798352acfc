import { API_ERROR_CODES, API_ERROR_STATUS, type ApiErrorCode } from '@citewell/contracts/errors';
import {
  type IdempotencyRepository,
  type IdempotencyState,
  type KeptAnswer,
  newId,
  type Reservation,
  TenantScope,
} from '@citewell/database';
import { createLogger } from '@citewell/observability';
import { describe, expect, it } from '@jest/globals';
import { ApiError } from './api-error.js';
import { hashOf, IdempotencyService, type PreparedRequest } from './idempotency.service.js';

const STORED: readonly ApiErrorCode[] = ['INVALID_REQUEST', 'NOT_FOUND', 'GONE', 'UNSUPPORTED_MEDIA_TYPE'];

/** An in-memory repository of one organization and route. */
class FakeKeys {
  readonly rows = new Map<string, { hash: string; status: number; response: unknown } | null>();

  async begin(_tenant: TenantScope, { key }: Reservation): ReturnType<IdempotencyRepository['begin']> {
    if (this.rows.has(key)) return { ok: false, reason: 'taken', ids: [] };
    this.rows.set(key, null);
    return { ok: true, value: undefined };
  }

  async find(_tenant: TenantScope, _route: string, key: string, hash: string): Promise<IdempotencyState> {
    const row = this.rows.get(key);
    if (row === undefined) return { kind: 'first' };
    if (row === null) return { kind: 'in-progress' };
    if (row.hash !== hash) return { kind: 'other-request' };
    return { kind: 'answered', status: row.status, response: row.response };
  }

  async finish(_tenant: TenantScope, { key }: Reservation, answer: KeptAnswer): Promise<void> {
    const { requestHash: hash, status, response } = answer;
    this.rows.set(key, { hash, status, response: JSON.parse(JSON.stringify(response)) });
  }

  async release(_tenant: TenantScope, { key }: Reservation): Promise<void> {
    if (this.rows.get(key) === null) this.rows.delete(key);
  }
}

/** Repeats at once. */
class QuickService extends IdempotencyService {
  protected override readonly retryMs = 1;
}

/** `IdempotencyService.once` of one tenant and route. */
function onceWith(keys: Partial<FakeKeys>) {
  // The service calls only methods of the fake.
  const repository = keys as unknown as IdempotencyRepository;
  const service = new QuickService(repository, createLogger('test', 'silent'));
  const tenant = new TenantScope(newId());
  return (key: string | undefined, prepare: () => Promise<PreparedRequest<string>>) =>
    service.once(tenant, 'POST /things', key, prepare);
}

const failing = (body: unknown, error: () => Error) => async () => ({
  hash: () => hashOf(body),
  execute: () => Promise.reject(error()),
});
const succeeding = (body: unknown, answer: string) => async () => ({
  hash: () => hashOf(body),
  execute: async () => answer,
});

describe('IdempotencyService.once', () => {
  for (const code of API_ERROR_CODES) {
    const isStored = STORED.includes(code);
    it(`${isStored ? 'stores' : 'frees the key after'} ${code}`, async () => {
      const keys = new FakeKeys();
      const once = onceWith(keys);
      const details = [{ path: 'a', message: 'is wrong' }];
      const error = new ApiError(code, 'No.', { details });
      await expect(
        once(
          'k',
          failing('body', () => error),
        ),
      ).rejects.toBe(error);
      expect(keys.rows.get('k')?.status).toBe(isStored ? API_ERROR_STATUS[code] : undefined);
      const again = once('k', succeeding('body', 'done'));
      if (!isStored) return expect(await again).toBe('done');
      await expect(again).rejects.toMatchObject({ code, message: 'No.', status: error.status, details });
      await expect(once('k', succeeding('other body', 'done'))).rejects.toMatchObject({ code: 'CONFLICT' });
    });
  }

  it('frees the key after an unexpected error', async () => {
    const once = onceWith(new FakeKeys());
    await expect(
      once(
        'k',
        failing('body', () => new Error('bug')),
      ),
    ).rejects.toThrow(/bug/);
    expect(await once('k', succeeding('body', 'done'))).toBe('done');
  });

  it('leaves the key free when the request cannot be parsed', async () => {
    const once = onceWith(new FakeKeys());
    const unreadable = () => Promise.reject(new ApiError('INVALID_REQUEST', 'A field is bad.'));
    await expect(once('k', unreadable)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await once('k', succeeding('corrected body', 'done'))).toBe('done');
    expect(await once('k', succeeding('corrected body', 'not again'))).toBe('done');
  });

  it('discards what a repeated request has stored, and reports a first request in progress', async () => {
    const once = onceWith(new FakeKeys());
    let finish: (answer: string) => void = () => undefined;
    const first = once('k', async () => ({
      hash: () => 'h',
      execute: () => new Promise<string>((resolve) => (finish = resolve)),
    }));
    await new Promise(setImmediate);
    const discarded: string[] = [];
    const second = {
      hash: () => 'h',
      execute: async () => 'twice',
      discard: async () => void discarded.push('x'),
    };
    await expect(once('k', async () => second)).rejects.toMatchObject({
      code: 'CONFLICT',
      retryAfterSeconds: 1,
    });
    finish('done');
    expect(await first).toBe('done');
    expect(await once('k', async () => second)).toBe('done');
    expect(discarded).toHaveLength(2);
  });

  it('does not execute a request again whose response could not be stored', async () => {
    const keys = new FakeKeys();
    keys.finish = () => Promise.reject(new ApiError('UPSTREAM_UNAVAILABLE', 'Postgres is away.'));
    const once = onceWith(keys);
    await expect(once('key-1', succeeding({}, 'made'))).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
    });
    await expect(once('key-1', succeeding({}, 'made twice'))).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  /** A repository whose database fails at first, for one method. */
  const failingAtFirst = (method: 'begin' | 'finish' | 'release', outage: () => Error): FakeKeys => {
    const keys = new FakeKeys();
    // Called with the arguments of the method that it replaces.
    const works = keys[method].bind(keys) as (...given: unknown[]) => Promise<never>;
    // A reservation takes effect, and its answer is lost.
    let failures = method === 'begin' ? 1 : 3;
    keys[method] = async (...given: unknown[]): Promise<never> => {
      if (failures === 0) return works(...given);
      failures -= 1;
      if (method === 'begin') await works(...given);
      throw outage();
    };
    return keys;
  };
  /** Waits until the key of a request that has ended is no longer in use. */
  const untilNotInUse = async (keys: FakeKeys): Promise<void> => {
    while (keys.rows.get('k') === null) await new Promise(setImmediate);
  };

  describe.each([
    ['does not answer', 'ECONNREFUSED'],
    ['has a full disk', '53100'],
  ])('with a database that %s', (_name, code) => {
    const outage = (): Error => Object.assign(new Error('outage'), { code });
    it('keeps the response as soon as it works again', async () => {
      const keys = failingAtFirst('finish', outage);
      const once = onceWith(keys);
      await expect(once('k', succeeding({}, 'made'))).rejects.toMatchObject({ code });
      await untilNotInUse(keys);
      expect(await once('k', succeeding({}, 'made twice'))).toBe('made');
    });

    it('frees the key as soon as it works again', async () => {
      const keys = failingAtFirst('release', outage);
      const once = onceWith(keys);
      await expect(once('k', failing({}, outage))).rejects.toMatchObject({ code });
      await untilNotInUse(keys);
      expect(await once('k', succeeding({}, 'made'))).toBe('made');
    });

    it('frees a key whose reservation was not confirmed', async () => {
      const keys = failingAtFirst('begin', outage);
      const once = onceWith(keys);
      await expect(once('k', succeeding({}, 'no'))).rejects.toMatchObject({ code });
      await untilNotInUse(keys);
      expect(await once('k', succeeding({}, 'made'))).toBe('made');
    });
  });

  it('throws the error of the request, also when the key cannot be freed', async () => {
    const keys = new FakeKeys();
    const once = onceWith({
      begin: keys.begin.bind(keys),
      release: () => Promise.reject(new Error('the database is unavailable')),
    });
    const cause = new ApiError('UPSTREAM_UNAVAILABLE', 'Later.');
    await expect(
      once(
        'k',
        failing('body', () => cause),
      ),
    ).rejects.toBe(cause);
  });

  it('accepts only keys of visible ASCII characters', async () => {
    const once = onceWith(new FakeKeys());
    for (const key of ['', ' ', 'a b', 'ä', 'x'.repeat(256)])
      await expect(once(key, succeeding('body', 'done'))).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await once(undefined, succeeding('body', 'without'))).toBe('without');
  });
});
