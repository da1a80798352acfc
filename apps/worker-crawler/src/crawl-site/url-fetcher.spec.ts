import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Config } from '@citewell/config';
import {
  type FetchOptions,
  type FetchResult,
  type GuardedHttpClient,
  HostGate,
  WebFetchError,
} from '@citewell/web';
import { RetryLaterError } from '@citewell/ingestion';
import { HostBusyError } from './host-busy.error.js';
import type { Seat } from './host-seats.js';
import { HostTurns } from './host-turns.js';
import { RobotsService } from './robots.service.js';
import { ANY_ROOM, ANY_SEAT } from './seat.fixtures.js';
import { UrlFetcher } from './url-fetcher.js';

const PAGE = 'https://site.example/a';
const { signal } = new AbortController();

/** A web of one host, as its client sees it. */
class FakeWeb {
  readonly asked: { url: string; options: FetchOptions }[] = [];
  robots: string | WebFetchError = 'User-agent: *\nDisallow: /private';
  page: Partial<FetchResult> | WebFetchError = {};
  readonly gate = new HostGate({ concurrencyPerHost: 2, delayMs: 0 });

  readonly fetcher: UrlFetcher;

  constructor() {
    // They use only what is there.
    const client = { fetch: (url: string, options: FetchOptions) => this.answer(url, options) };
    const guarded = client as unknown as GuardedHttpClient;
    const config = { CRAWL_USER_AGENT: 'Citewell/1.0' } as Config;
    const turns = new HostTurns(this.gate, { reserve: neverAsked, pause: async () => undefined });
    this.fetcher = new UrlFetcher(guarded, new RobotsService(guarded, this.gate, config), turns);
  }

  fetch(url = PAGE, seat: Seat = ANY_SEAT) {
    return this.fetcher.fetch(url, { maxBytes: 1_000, room: ANY_ROOM, seat, signal });
  }

  private async answer(url: string, options: FetchOptions): Promise<FetchResult> {
    this.asked.push({ url, options });
    const what = url.endsWith('/robots.txt') ? this.robots : this.page;
    if (what instanceof WebFetchError) throw what;
    const body = typeof what === 'string' ? what : 'hello';
    return {
      url,
      status: 200,
      isUnchanged: false,
      retryAfterMs: null,
      body: pieces(body),
      ...(typeof what === 'string' ? {} : what),
    } as FetchResult;
  }
}

/** Nothing is between two requests to this host. */
async function neverAsked(): Promise<never> {
  throw new Error('there is nothing to agree on');
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const http = (kind: WebFetchError['kind'], status: number, retryAfterMs?: number): WebFetchError =>
  new WebFetchError(kind, 'HTTP_STATUS', `It says ${status}.`, {
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

describe('a polite fetch', () => {
  it('asks for robots.txt once, then for the page', async () => {
    const web = new FakeWeb();
    const answer = await web.fetch();
    assert.ok(answer.kind === 'content' && Buffer.from(answer.bytes).toString() === 'hello');
    await web.fetch();
    assert.deepEqual(
      web.asked.map(({ url }) => new URL(url).pathname),
      ['/robots.txt', '/a', '/a'],
    );
  });

  it('does not ask for what robots.txt forbids', async () => {
    const web = new FakeWeb();
    assert.deepEqual(await web.fetch('https://site.example/private/x'), { kind: 'forbidden' });
    assert.equal(web.asked.length, 1);
  });

  it('says nothing of the page while robots.txt cannot be read', async () => {
    const web = new FakeWeb();
    web.robots = http('transient', 503);
    const answer = await web.fetch();
    assert.ok(answer.kind === 'error' && answer.error.kind === 'transient');
    assert.equal(web.asked.length, 1);
  });

  it('is not called off by another one that waits for the same robots.txt', async () => {
    const web = new FakeWeb();
    const stop = new AbortController();
    const first = web.fetcher.fetch(PAGE, {
      maxBytes: 1,
      room: ANY_ROOM,
      seat: ANY_SEAT,
      signal: stop.signal,
    });
    const second = web.fetch();
    stop.abort(new Error('cancelled'));
    await assert.rejects(first, /cancelled/);
    assert.equal((await second).kind, 'content');
  });

  it('does not wait for robots.txt either when its run has to make room, and lets others wait', async () => {
    const web = new FakeWeb();
    const room = new AbortController();
    const first = web.fetch(PAGE, { ...ANY_SEAT, patience: room.signal });
    const second = web.fetch();
    room.abort(new HostBusyError('site.example', 3_000));
    await assert.rejects(first, HostBusyError);
    assert.equal((await second).kind, 'content');
  });

  it('asks a host nothing that its run has no seat at', async () => {
    const web = new FakeWeb();
    const seat: Seat = {
      ...ANY_SEAT,
      enter: (host) => {
        throw new RetryLaterError(`${host} is slow`, 3_000);
      },
    };
    await assert.rejects(web.fetch(PAGE, seat), /^RetryLaterError: site.example is slow$/);
    assert.deepEqual(web.asked, []);
  });

  it('asks with what is known of the page', async () => {
    const web = new FakeWeb();
    web.page = { isUnchanged: true, status: 304, robotsTags: ['noindex'] };
    const known = { etag: '"1"', lastModified: null };
    assert.deepEqual(
      await web.fetcher.fetch(PAGE, { known, maxBytes: 1, room: ANY_ROOM, seat: ANY_SEAT, signal }),
      {
        kind: 'unchanged',
        robotsTags: ['noindex'],
      },
    );
    assert.deepEqual(web.asked.at(-1)?.options.conditional, { etag: '"1"' });
  });

  it('follows no redirect, and says where it leads', async () => {
    const web = new FakeWeb();
    const location = 'https://site.example/b?utm_source=x#top';
    web.page = new WebFetchError('permanent', 'TOO_MANY_REDIRECTS', 'no', { location });
    assert.deepEqual(await web.fetch(), { kind: 'redirect', location, target: 'https://site.example/b' });
    assert.equal(web.asked.at(-1)?.options.maxRedirects, 0);
  });

  it('does not wait for a host that wants a long pause', async () => {
    const web = new FakeWeb();
    web.page = http('rate-limited', 429, 120_000);
    assert.equal((await web.fetch()).kind, 'error');
    const busy = await web.fetch().catch((error: unknown) => error);
    assert.ok(busy instanceof HostBusyError);
    assert.ok(busy.retryAfterMs > 110_000 && busy.retryAfterMs <= 120_000);
    assert.equal(web.asked.length, 2);
    web.page = {};
    assert.equal((await web.fetch('https://other.example/a')).kind, 'content', 'another host');
  });

  it('sends those away who wait for their turn when the host asks for a long pause', async () => {
    const web = new FakeWeb();
    web.page = http('rate-limited', 429, 120_000);
    // Two turns at once: the third waits, and would for two minutes.
    const [, , third] = await Promise.allSettled([web.fetch(), web.fetch(), web.fetch()]);
    assert.ok(third?.status === 'rejected' && third.reason instanceof HostBusyError);
    assert.ok(third.reason.retryAfterMs > 110_000);
  });

  it('gives its turn back, however it ends', async () => {
    const web = new FakeWeb();
    web.page = http('permanent', 404);
    for (let n = 0; n < 5; n += 1) assert.equal((await web.fetch()).kind, 'error');
    web.page = {};
    assert.equal((await web.fetch()).kind, 'content');
  });
});
