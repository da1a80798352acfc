import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type FetchOptions,
  type FetchResult,
  type GuardedHttpClient,
  HostGate,
  WebFetchError,
} from '@citewell/web';
import { HostBusyError } from './host-busy.error.js';
import { HostPacer } from './host-pacer.js';
import { RobotsService } from './robots.service.js';
import { UrlFetcher } from './url-fetcher.js';

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
    assert.ok(fetched.kind === 'content' && Buffer.from(fetched.bytes).toString() === 'hello');
    await web.fetch();
    assert.deepEqual(
      web.requests.map(({ url }) => new URL(url).pathname),
      ['/robots.txt', '/a', '/a'],
    );
  });

  it('does not fetch what robots.txt disallows', async () => {
    const web = new FakeWeb();
    assert.deepEqual(await web.fetch('https://site.example/private/x'), { kind: 'forbidden' });
    assert.equal(web.requests.length, 1);
  });

  it('fetches nothing while robots.txt cannot be read, which may pass', async () => {
    const web = new FakeWeb();
    web.robots = http('transient', 503);
    const fetched = await web.fetch();
    assert.ok(fetched.kind === 'error' && fetched.error.kind === 'transient');
    assert.equal(web.requests.length, 1);
  });

  it('goes on waiting for robots.txt when another run that waits is cancelled', async () => {
    const web = new FakeWeb();
    const stop = new AbortController();
    const first = web.fetch(PAGE, { signal: stop.signal });
    const second = web.fetch();
    stop.abort(new Error('cancelled'));
    await assert.rejects(first, /cancelled/);
    assert.equal((await second).kind, 'content');
  });

  it('sends validators, and passes on robots headers of a 304', async () => {
    const web = new FakeWeb();
    web.page = { isUnchanged: true, status: 304, robotsTags: ['noindex'] };
    assert.deepEqual(await web.fetch(PAGE, { validators: { etag: '"1"', lastModified: null } }), {
      kind: 'unchanged',
      robotsTags: ['noindex'],
    });
    assert.deepEqual(web.requests.at(-1)?.options.conditional, { etag: '"1"' });
  });

  it('follows no redirect, and tells where it leads', async () => {
    const web = new FakeWeb();
    const location = 'https://site.example/b?utm_source=x#top';
    web.page = new WebFetchError('permanent', 'TOO_MANY_REDIRECTS', 'no', { location });
    assert.deepEqual(await web.fetch(), { kind: 'redirect', location, target: 'https://site.example/b' });
    assert.equal(web.requests.at(-1)?.options.maxRedirects, 0);
  });

  it('leaves a host alone for as long as it asks', async () => {
    const web = new FakeWeb();
    web.page = http('rate-limited', 429, 120_000);
    assert.equal((await web.fetch()).kind, 'error');
    const busy = await web.fetch().catch((error: unknown) => error);
    assert.ok(busy instanceof HostBusyError);
    assert.ok(busy.retryAfterMs > 110_000 && busy.retryAfterMs <= 120_000);
    assert.equal(web.requests.length, 2);
    web.page = {};
    assert.equal((await web.fetch('https://other.example/a')).kind, 'content');
  });

  it('reserves a permit before it reads a large body', async () => {
    const web = new FakeWeb();
    web.page = { body: bytesOf('x'.repeat(3 * 1024 * 1024)) };
    let reserved = 0;
    await web.fetch(PAGE, { maxBytes: 1e9, reserveLargeBody: async () => void (reserved += 1) });
    assert.equal(reserved, 1);
  });
});
