import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GuardedHttpClient, HostGate } from '@citewell/web';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HostPacer } from './host-pacer.js';
import { RobotsService } from './robots.service.js';
import { type Fetched, SiteSession, UrlFetcher } from './url-fetcher.js';

/** A response: 302 if it has a location, else 200. */
interface Answer {
  readonly location?: string;
  readonly status?: number;
  readonly cookies?: readonly string[];
}

/** @param cookies of the request, by name */
type Site = (path: string, cookies: Readonly<Record<string, string>>) => Answer;

const SITES: Readonly<Record<string, Site>> = {
  itself: (path, { seen }) => (seen ? {} : { location: path, cookies: ['seen=1; Path=/'] }),
  'with a parameter': (path, { seen }) => {
    if (path.endsWith('?check=1')) return { location: path.replace('?check=1', '') };
    return seen ? {} : { location: `${path}?check=1`, cookies: ['seen=1'] };
  },
  'by a page that sets the cookie': (path, { ok }) => {
    const back = new URL(path, 'http://x').searchParams.get('return');
    if (back !== null) return { location: back, cookies: ['ok=yes; Path=/; HttpOnly; SameSite=Strict'] };
    return ok ? {} : { location: `/consent?return=${encodeURIComponent(path)}` };
  },
  'in steps': (path, { step = '0' }) =>
    step === '3' ? {} : { location: path, cookies: [`step=${Number(step) + 1}; Path=/`] },
  'by a page without an address': (path, { from, ok }) => {
    if (path === '/start') return { location: from ?? '/', cookies: ['ok=1; Path=/'] };
    return ok ? {} : { location: '/start', cookies: [`from=${path}; Path=/`] };
  },
  'without an end': (path, { n = '0' }) => ({ location: path, cookies: [`n=${Number(n) + 1}`] }),
  elsewhere: (path, { pass }) => {
    if (path === '/page') return { location: '/paper', cookies: ['pass=9; Path=/; HttpOnly'] };
    return pass ? {} : { status: 403 };
  },
};

describe('UrlFetcher with cookies', () => {
  const client = new GuardedHttpClient({ userAgent: 'test', allowPrivateNetworks: ['127.0.0.1/32'] });
  const pacer = new HostPacer(new HostGate({ concurrencyPerHost: 2, delayMs: 0 }), {
    reserve: () => Promise.reject(new Error('requests have no delay')),
    pause: async () => undefined,
  });
  const fetcher = new UrlFetcher(client, new RobotsService(client, { CRAWL_USER_AGENT: 'test' }), pacer);
  let site: Site = () => ({});
  let requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/robots.txt') return response.writeHead(404).end();
    requests.push(path);
    const { location, status = 200, cookies = [] } = site(path, cookiesOf(request));
    response.setHeader('set-cookie', cookies);
    if (location !== undefined) response.setHeader('location', location);
    return response.writeHead(location === undefined ? status : 302).end('hello');
  });
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
  afterAll(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });

  const get = (path: string, session: SiteSession): Promise<Fetched> => {
    // A server that listens on TCP has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    return fetcher.fetch(`http://127.0.0.1:${port}${path}`, {
      maxBytes: 1_000,
      reserveLargeBody: async () => undefined,
      session,
      signal: new AbortController().signal,
    });
  };

  it.each([
    ['itself', 2],
    ['with a parameter', 3],
    ['by a page that sets the cookie', 3],
    ['in steps', 4],
    ['by a page without an address', 3],
  ])('reads a page whose redirects lead back to it: %s', async (name, count) => {
    site = SITES[name] ?? site;
    requests = [];
    const session = new SiteSession();
    expect((await get('/page', session)).kind).toBe('content');
    expect(requests).toHaveLength(count);
    expect((await get('/next', session)).kind).toBe('content');
    expect(requests).toHaveLength(count + 1);
  });

  it('gives up a site that wants another cookie each time', async () => {
    site = SITES['without an end'] ?? site;
    requests = [];
    const session = new SiteSession();
    for (const path of ['/a', '/b', '/c', '/d', '/e'])
      expect(await get(path, session)).toMatchObject({ kind: 'redirect' });
    expect(requests.length).toBeLessThanOrEqual(20);
  });

  it('sends the cookie of a redirect to its target', async () => {
    site = SITES['elsewhere'] ?? site;
    const session = new SiteSession();
    expect(await get('/page', session)).toMatchObject({ kind: 'redirect' });
    expect((await get('/paper', session)).kind).toBe('content');
    expect(await get('/paper', new SiteSession())).toMatchObject({ kind: 'error', error: { status: 403 } });
  });
});

function cookiesOf({ headers }: IncomingMessage): Record<string, string> {
  const pairs = (headers.cookie ?? '').split('; ').filter((pair) => pair !== '');
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
}
