import assert from 'node:assert/strict';
import {
  type FetchOptions,
  type FetchResult,
  type GuardedHttpClient,
  HostGate,
  WebFetchError,
  type WebFetchErrorCode,
  type WebFetchErrorKind,
} from '@citewell/web';
import { describe, expect, it } from '@jest/globals';
import { HostBusyError, HostPacer } from './host-pacer.js';
import { RobotsService } from './robots.service.js';
import { codeOf, finalFailureOf, retryAt, UrlFetcher } from './url-fetcher.js';

const PAGE = 'https://site.example/a';
const { signal } = new AbortController();
const reserveLargeBody = async (): Promise<void> => undefined;

/** A web of one host, as its client sees it. */
class FakeWeb {
  readonly requests: { url: string; options: FetchOptions }[] = [];
  robots: string | WebFetchError = 'User-agent: *\nDisallow: /private';
  page: Partial<FetchResult> | WebFetchError = {};
  readonly fetcher: UrlFetcher;

  constructor() {
    const client = { fetch: (url: string, options: FetchOptions) => this.answer(url, options) };
    // The services use only what the fake has.
    const guarded = client as unknown as GuardedHttpClient;
    const pacer = new HostPacer(new HostGate({ concurrencyPerHost: 2, delayMs: 0 }), {
      reserve: () => Promise.reject(new Error('requests have no delay')),
      pause: async () => undefined,
    });
    this.fetcher = new UrlFetcher(
      guarded,
      new RobotsService(guarded, { CRAWL_USER_AGENT: 'Citewell/1.0' }),
      pacer,
    );
  }

  fetch(url = PAGE, options: Partial<Parameters<UrlFetcher['fetch']>[1]> = {}) {
    return this.fetcher.fetch(url, { maxBytes: 1_000, reserveLargeBody, signal, ...options });
  }

  private async answer(url: string, options: FetchOptions): Promise<FetchResult> {
    this.requests.push({ url, options });
    const answer = url.endsWith('/robots.txt') ? this.robots : this.page;
    if (answer instanceof WebFetchError) throw answer;
    const body = bytesOf(typeof answer === 'string' ? answer : 'hello');
    const fields = typeof answer === 'string' ? {} : answer;
    return { url, status: 200, isUnchanged: false, retryAfterMs: null, body, ...fields } as FetchResult;
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const http = (kind: WebFetchError['kind'], status: number, retryAfterMs?: number): WebFetchError =>
  new WebFetchError(kind, 'HTTP_STATUS', `It answered ${status}.`, {
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

describe('UrlFetcher', () => {
  it('fetches robots.txt once, then the page', async () => {
    const web = new FakeWeb();
    const fetched = await web.fetch();
    expect(fetched).toMatchObject({ kind: 'content', bytes: Buffer.from('hello') });
    await web.fetch();
    expect(web.requests.map(({ url }) => new URL(url).pathname)).toEqual(['/robots.txt', '/a', '/a']);
  });

  it('does not fetch what robots.txt disallows', async () => {
    const web = new FakeWeb();
    expect(await web.fetch('https://site.example/private/x')).toEqual({ kind: 'forbidden' });
    expect(web.requests).toHaveLength(1);
  });

  it('fetches nothing while robots.txt cannot be read, which may pass', async () => {
    const web = new FakeWeb();
    web.robots = http('transient', 503);
    const fetched = await web.fetch();
    expect(fetched).toMatchObject({ kind: 'error', error: { kind: 'transient' } });
    expect(web.requests).toHaveLength(1);
  });

  it('goes on waiting for robots.txt when another run that waits is cancelled', async () => {
    const web = new FakeWeb();
    const stop = new AbortController();
    const first = web.fetch(PAGE, { signal: stop.signal });
    const second = web.fetch();
    stop.abort(new Error('cancelled'));
    await expect(first).rejects.toThrow(/cancelled/);
    expect((await second).kind).toBe('content');
  });

  it('sends validators, and passes on robots headers of a 304', async () => {
    const web = new FakeWeb();
    web.page = { isUnchanged: true, status: 304, robotsTags: ['noindex'] };
    expect(await web.fetch(PAGE, { validators: { etag: '"1"', lastModified: null } })).toEqual({
      kind: 'unchanged',
      robotsTags: ['noindex'],
    });
    expect(web.requests.at(-1)?.options.conditional).toEqual({ etag: '"1"' });
  });

  it('follows no redirect, and tells where it leads', async () => {
    const web = new FakeWeb();
    const location = 'https://site.example/b?utm_source=x#top';
    web.page = new WebFetchError('permanent', 'TOO_MANY_REDIRECTS', 'no', { location });
    expect(await web.fetch()).toEqual({ kind: 'redirect', location, target: 'https://site.example/b' });
    expect(web.requests.at(-1)?.options.maxRedirects).toBe(0);
  });

  it('follows a redirect to the same page with a session in its address, once', async () => {
    const web = new FakeWeb();
    const location = 'https://site.example/(S(lit3py55))/a';
    web.page = new WebFetchError('permanent', 'TOO_MANY_REDIRECTS', 'no', { location });
    expect(await web.fetch()).toEqual({ kind: 'redirect', location, target: PAGE });
    expect(web.requests.map(({ url }) => url).slice(1)).toEqual([PAGE, location]);
  });

  it('leaves a host alone for as long as it asks', async () => {
    const web = new FakeWeb();
    web.page = http('rate-limited', 429, 120_000);
    expect((await web.fetch()).kind).toBe('error');
    const busy = await web.fetch().catch((error: unknown) => error);
    assert.ok(busy instanceof HostBusyError);
    expect(busy.retryAfterMs).toBeGreaterThan(110_000);
    expect(busy.retryAfterMs).toBeLessThanOrEqual(120_000);
    expect(web.requests).toHaveLength(2);
    web.page = {};
    expect((await web.fetch('https://other.example/a')).kind).toBe('content');
  });

  it('reserves a permit before it reads a large body', async () => {
    const web = new FakeWeb();
    web.page = { body: bytesOf('x'.repeat(3 * 1024 * 1024)) };
    let reserved = 0;
    await web.fetch(PAGE, { maxBytes: 1e9, reserveLargeBody: async () => void (reserved += 1) });
    expect(reserved).toBe(1);
  });
});

const NOW = 1_000_000;
const failed = (
  kind: WebFetchErrorKind,
  details: { code?: WebFetchErrorCode; status?: number; retryAfterMs?: number } = {},
): WebFetchError => new WebFetchError(kind, details.code ?? 'HTTP_STATUS', 'It failed.', details);
const pause = (error: WebFetchError, attempts: number): number | null => {
  const at = retryAt(error, attempts, NOW);
  return at === null ? null : at.getTime() - NOW;
};

describe('a failed request', () => {
  it('that may pass is repeated three times, after longer and longer pauses', () => {
    const pauses = [0, 1, 2, 3, 4].map((attempts) => pause(failed('transient', { status: 500 }), attempts));
    expect(pauses).toEqual([2_000, 4_000, 8_000, null, null]);
  });

  it('is repeated when the server asks for it, within an hour', () => {
    for (const kind of ['transient', 'rate-limited'] as const) {
      expect(pause(failed(kind, { retryAfterMs: 90_000 }), 0)).toBe(90_000);
      expect(pause(failed(kind, { retryAfterMs: 1e12 }), 0)).toBe(3_600_000);
      expect(pause(failed(kind, { retryAfterMs: 0 }), 2)).toBe(0);
      expect(pause(failed(kind, { retryAfterMs: 90_000 }), 3)).toBeNull();
    }
  });

  it('that will not pass is not repeated', () => {
    expect(pause(failed('permanent', { status: 404 }), 0)).toBeNull();
    expect(pause(failed('blocked', { retryAfterMs: 1 }), 0)).toBeNull();
  });

  it('has a code for the user', () => {
    const codes = [
      [failed('permanent', { status: 404 }), 'PAGE_GONE'],
      [failed('permanent', { status: 410 }), 'PAGE_GONE'],
      [failed('permanent', { status: 403 }), 'PAGE_REFUSED'],
      [failed('permanent', { code: 'TOO_LARGE' }), 'PAGE_TOO_LARGE'],
      [failed('permanent', { code: 'DECOMPRESSION_BOMB' }), 'PAGE_TOO_LARGE'],
      [failed('transient', { status: 503 }), 'FETCH_FAILED'],
      [failed('rate-limited', { status: 429 }), 'RATE_LIMITED'],
      [failed('blocked', { code: 'ADDRESS_BLOCKED' }), 'ADDRESS_BLOCKED'],
    ] as const;
    for (const [error, code] of codes) expect(codeOf(error)).toBe(code);
  });

  it('says what was tried and what to do when a server asked for a pause each time', () => {
    const { code, sentence } = finalFailureOf(failed('rate-limited', { status: 429 }));
    expect(code).toBe('FETCH_FAILED');
    expect(sentence).toMatch(/status 429\) at every attempt.*given up.*Sync again later/);
    expect(sentence).not.toMatch(/continue/);
  });
});
