import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Resolver } from './guarded-connector.js';
import {
  type FetchOptions,
  GuardedHttpClient,
  type GuardedHttpClientOptions,
  readBody,
} from './guarded-http.client.js';
import { type WebFetchError, type WebFetchErrorCode } from './fetch-errors.js';

const LIMITS: FetchOptions = { maxBytes: 1_000_000, timeoutMs: 5000 };

/** Notations of loopback, private and metadata addresses in URLs. */
const REFUSED_HOSTS = `
127.0.0.1 127.1 127.0.1 0x7f.1 0x7f000001 2130706433 017700000001 0177.0.0.1 0177.0.0.0x1 127.0.0.1. 0.0.0.0 0 0x0
localhost LOCALHOST localhost. foo.localhost a.b.LocalHost. 10.0.0.1 0xa000001 167772161 192.168.1.1 0xc0.0xa8.1.1 3232235777
169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 100.100.100.200 198.18.0.1 224.0.0.1 255.255.255.255
[::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:a9fe:a9fe] [::127.0.0.1] [64:ff9b::7f00:1]
[64:ff9b::10.0.0.1] [2002:7f00:1::] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [fe80::1] [fc00::1] [fd00:ec2::254]
[fec0::1] [ff02::1] [64:ff9b:1::a00:1] [2001:db8::1] [2001:2::1] [100::1] [::ffff:0:127.0.0.1]
192.0.0.192 192.0.2.1 198.51.100.7 203.0.113.9 172.31.255.255 0x7f.0x0.0x0.0x1 0300.0250.1.1 192.168.257 10.1
１２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 ｌｏｃａｌｈｏｓｔ %31%32%37.0.0.1`
  .trim()
  .split(/\s+/);

type Routes = Record<string, RequestListener>;

describe('GuardedHttpClient', () => {
  const servers: Server[] = [];
  const clients: GuardedHttpClient[] = [];

  async function serve(routes: Routes, address = '127.0.0.1'): Promise<number> {
    const server = createServer((request, response) => {
      const route = routes[request.url ?? ''];
      if (route) route(request, response);
      else response.writeHead(404).end();
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, address, done));
    // A server that listens on TCP has an AddressInfo.
    return (server.address() as AddressInfo).port;
  }

  function client(options: Partial<GuardedHttpClientOptions> = {}): GuardedHttpClient {
    const created = new GuardedHttpClient({ userAgent: 'citewell-test', ...options });
    clients.push(created);
    return created;
  }
  const local = (options: Partial<GuardedHttpClientOptions> = {}): GuardedHttpClient =>
    client({ allowPrivateNetworks: ['127.0.0.1/32'], ...options });

  const failure = (code: WebFetchErrorCode, kind?: WebFetchError['kind']) => ({
    name: 'WebFetchError',
    code,
    userMessage: expect.stringMatching(/\.$/),
    ...(kind && { kind }),
  });

  let port: number;
  let origin: string;
  const seen: { url: string; headers: Record<string, unknown> }[] = [];

  beforeAll(async () => {
    const page = Buffer.from('<p>grüße</p>');
    const redirect =
      (location: string, status = 302): RequestListener =>
      (_, response) =>
        response.writeHead(status, { location }).end('moved');
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    port = await serve({
      '/page': (request, response) => {
        seen.push({ url: '/page', headers: request.headers });
        response.writeHead(200, { 'content-type': 'text/HTML; charset=UTF-8', etag: '"1"' }).end(page);
      },
      '/gzip': (_, r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(page)),
      '/deflate': (_, r) => r.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync(page)),
      '/br': (_, r) => r.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(page)),
      '/twice': (_, r) =>
        r.writeHead(200, { 'content-encoding': 'gzip, br' }).end(brotliCompressSync(gzipSync(page))),
      '/charset-as-encoding': (_, r) => r.writeHead(200, { 'content-encoding': 'UTF-8' }).end(page),
      '/empty-gzip': (_, r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end(),
      '/bad-gzip': (_, r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip at all'),
      '/cut-gzip': (_, r) =>
        r.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(page).subarray(0, 15)),
      '/unknown-encoding': (_, r) => r.writeHead(200, { 'content-encoding': 'snappy' }).end(page),
      '/bomb': (_, r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      '/bomb-in-bomb': (_, r) => r.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(bomb)),
      '/large': (_, r) => r.writeHead(200, { 'content-length': 2_000_000 }).end(Buffer.alloc(2_000_000)),
      '/endless': (_, r) => {
        const more = (): boolean =>
          r.destroyed ||
          (r.write(Buffer.alloc(65_536)) ? setImmediate(more) && true : r.once('drain', more) && true);
        more();
      },
      '/exact': (_, r) => r.end(Buffer.alloc(1_000_000)),
      '/hang': () => undefined,
      '/hang-in-body': (_, r) => r.write('begun'),
      '/drip': (_, r) => {
        const timer = setInterval(() => r.write('.'), 20);
        r.on('close', () => clearInterval(timer));
      },
      '/processing': (_, r) => {
        for (let n = 0; n < 10; n += 1) r.writeProcessing();
        r.end(page);
      },
      '/always-processing': (_, r) => {
        const more = (): void => {
          if (r.destroyed) return;
          r.writeProcessing();
          setImmediate(more);
        };
        more();
      },
      '/cut': (_, r) => {
        r.writeHead(200, { 'content-length': 100 });
        r.write('some');
        setTimeout(() => r.destroy(), 20);
      },
      '/not-modified': (request, r) =>
        r.writeHead(request.headers['if-none-match'] === '"1"' ? 304 : 200).end(),
      '/bare-304': (_, r) => r.writeHead(304).end(),
      '/facts': (_, r) =>
        r
          .writeHead(200, {
            etag: 'W/"2"',
            'last-modified': 'Fri, 20 Nov 2026 12:00:00 GMT',
            'x-robots-tag': ['noindex', 'nofollow'],
            link: '</page>; rel="canonical"',
            'content-type': 'text/html; charset=KOI8-R',
          })
          .end(),
      '/429': (_, r) => r.writeHead(429, { 'retry-after': '7' }).end(),
      '/503': (_, r) => r.writeHead(503).end(),
      '/403': (_, r) => r.writeHead(403).end(),
      '/to-page': redirect('/page'),
      '/to-to-page': redirect('to-page', 308),
      '/loop': redirect('/loop', 301),
      '/hop-1': (_, r) => r.writeHead(302, { location: `http://hop.test:${port}/hop-2` }).end(),
      '/hop-2': (_, r) => r.writeHead(307, { location: `http://127.0.0.1:${port}/hop-3` }).end(),
      '/hop-3': (_, r) => r.writeHead(301, { location: `http://inside.test:${port}/page` }).end(),
      '/to-private': redirect('http://127.0.0.2/secret'),
      '/to-metadata': redirect('http://169.254.169.254/latest/meta-data/'),
      '/to-decimal': redirect('http://2130706434/'),
      '/to-file': redirect('file:///etc/passwd'),
      '/to-credentials': redirect('http://u:p@example.org/'),
      '/to-redis': redirect('http://example.org:6379/'),
      '/to-mail': redirect('mailto:somebody@example.org'),
      // Octets of UTF-8 in the header, contrary to RFC 3986.
      '/to-utf-8': redirect(Buffer.from('/größe').toString('latin1')),
      '/gr%C3%B6%C3%9Fe': (_, r) => r.end('Größe'),
      '/to-nowhere': (_, r) => r.writeHead(302).end(),
    });
    origin = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await Promise.all(clients.map((open) => open.close()));
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const get = async (path: string, options: Partial<FetchOptions> = {}): Promise<string> =>
    (await readBody(await local().fetch(origin + path, { ...LIMITS, ...options }))).toString();

  it('fetches a page', async () => {
    const result = await local().fetch(`${origin}/page`, LIMITS);
    expect(result.status).toBe(200);
    expect(result.contentType).toBe('text/html');
    expect(result.charset).toBe('utf-8');
    expect(result.headers.etag).toBe('"1"');
    expect((await readBody(result)).toString()).toBe('<p>grüße</p>');
    expect(seen.at(-1)?.headers['user-agent']).toBe('citewell-test');
  });

  describe('guard', () => {
    for (const host of REFUSED_HOSTS) {
      it(`refuses ${host}`, async () => {
        await expect(client().fetch(`http://${host}:${port}/page`, LIMITS)).rejects.toMatchObject(
          failure('ADDRESS_BLOCKED', 'blocked'),
        );
      });
    }

    it('connects to addresses of allowed networks', async () => {
      // A closed port: CONNECTION_FAILED means that the guard permitted the address.
      const closed = client({ allowPrivateNetworks: ['127.0.0.0/8', '::1/128'] });
      for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost', '127.0.0.9']) {
        await expect(closed.fetch(`http://${host}:9/`, LIMITS)).rejects.toMatchObject(
          failure('PORT_BLOCKED'),
        );
        await expect(closed.fetch(`http://${host}:9999/`, LIMITS)).rejects.toMatchObject(
          failure('CONNECTION_FAILED'),
        );
      }
    });

    it('reaches localhost if only its IPv4 network is allowed', async () => {
      const result = await local({
        resolver: async () => [
          { address: '::1', family: 6 },
          { address: '127.0.0.1', family: 4 },
        ],
      }).fetch(`http://localhost:${port}/page`, LIMITS);
      expect((await readBody(result)).toString()).toBe('<p>grüße</p>');
    });

    it('refuses a name with any private address', async () => {
      const mixed: Resolver = async () => [
        { address: '93.184.216.34', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ];
      await expect(client({ resolver: mixed }).fetch('http://mixed.test/', LIMITS)).rejects.toMatchObject(
        failure('ADDRESS_BLOCKED'),
      );
    });

    it('refuses a name that becomes private (DNS rebinding)', async () => {
      let lookups = 0;
      const rebinding: Resolver = async () => {
        lookups += 1;
        return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
      };
      const rebound = local({ resolver: rebinding });
      const first = await rebound.fetch(`http://rebind.test:${port}/page`, LIMITS);
      await readBody(first);
      // Check and connection share one lookup.
      expect(lookups).toBe(1);
      // Another host name, so that no connection is reused.
      await expect(rebound.fetch(`http://again.rebind.test:${port}/page`, LIMITS)).rejects.toMatchObject(
        failure('ADDRESS_BLOCKED'),
      );
    });

    for (const [path, code] of [
      ['/to-private', 'ADDRESS_BLOCKED'],
      ['/to-metadata', 'ADDRESS_BLOCKED'],
      ['/to-decimal', 'ADDRESS_BLOCKED'],
      ['/to-file', 'BAD_URL'],
      ['/to-credentials', 'BAD_URL'],
      ['/to-redis', 'PORT_BLOCKED'],
    ] as const) {
      it(`refuses the redirect ${path}`, async () =>
        expect(get(path)).rejects.toMatchObject(failure(code, 'blocked')));
    }

    it('checks every hop', async () => {
      const lookups: string[] = [];
      const resolver: Resolver = async (name) => {
        lookups.push(name);
        return [{ address: name === 'inside.test' ? '10.0.0.5' : '127.0.0.1', family: 4 }];
      };
      await expect(
        local({ resolver }).fetch(`http://start.test:${port}/hop-1`, LIMITS),
      ).rejects.toMatchObject(failure('ADDRESS_BLOCKED', 'blocked'));
      expect(lookups).toEqual(['start.test', 'hop.test', 'inside.test']);
    });

    it('distinguishes unknown hosts and failed lookups', async () => {
      const failing =
        (code: string): Resolver =>
        async () => {
          throw Object.assign(new Error(code), { code });
        };
      const fetchWith = (resolver: Resolver): Promise<unknown> =>
        client({ resolver }).fetch('http://x.test/', LIMITS);
      await expect(fetchWith(failing('ENOTFOUND'))).rejects.toMatchObject(failure('DNS_FAILED', 'permanent'));
      await expect(fetchWith(failing('EAI_AGAIN'))).rejects.toMatchObject(failure('DNS_FAILED', 'transient'));
      await expect(fetchWith(async () => [])).rejects.toMatchObject(failure('DNS_FAILED', 'permanent'));
    });
  });

  describe('redirects', () => {
    it('follows them', async () => {
      const result = await local().fetch(`${origin}/to-to-page`, LIMITS);
      result.discard();
      expect(result.url).toBe(`${origin}/page`);
    });

    it('decodes UTF-8 in `Location`', async () => {
      expect(await get('/to-utf-8')).toBe('Größe');
    });

    it('returns the target of a redirect that is not followed', async () => {
      await expect(get('/to-mail', { maxRedirects: 0 })).rejects.toMatchObject({
        code: 'TOO_MANY_REDIRECTS',
        location: 'mailto:somebody@example.org',
      });
    });

    it('ends loops', async () => {
      await expect(get('/loop')).rejects.toMatchObject(failure('TOO_MANY_REDIRECTS', 'permanent'));
      await expect(get('/to-to-page', { maxRedirects: 1 })).rejects.toMatchObject(
        failure('TOO_MANY_REDIRECTS'),
      );
      expect(await get('/to-to-page', { maxRedirects: 2 })).toBe('<p>grüße</p>');
    });
  });

  it('returns facts from the headers', async () => {
    const facts = await local().fetch(`${origin}/facts`, LIMITS);
    expect(facts.etag).toBe('W/"2"');
    expect(facts.lastModified).toBe('Fri, 20 Nov 2026 12:00:00 GMT');
    expect(facts.robotsTags.join(', ')).toEqual('noindex, nofollow');
    expect(facts.canonicalUrl).toBe(`${origin}/page`);
    expect(facts.charset).toBe('koi8-r');
    expect(facts.isUnchanged).toBe(false);
    facts.discard();
  });

  describe('bodies', () => {
    for (const path of ['/charset-as-encoding', '/gzip', '/deflate', '/br', '/twice']) {
      it(`decompresses ${path}`, async () => expect(await get(path)).toBe('<p>grüße</p>'));
    }
    it('accepts an empty body with an encoding', async () => expect(await get('/empty-gzip')).toBe(''));
    for (const path of ['/bad-gzip', '/cut-gzip', '/unknown-encoding']) {
      it(`refuses ${path}`, async () => expect(get(path)).rejects.toMatchObject(failure('BAD_RESPONSE')));
    }
    it('counts decompressed bytes', async () => {
      expect(await get('/exact')).toHaveLength(1_000_000);
      await expect(get('/exact', { maxBytes: 999_999 })).rejects.toMatchObject(
        failure('TOO_LARGE', 'permanent'),
      );
      await expect(get('/large')).rejects.toMatchObject(failure('TOO_LARGE'));
      await expect(get('/endless')).rejects.toMatchObject(failure('TOO_LARGE'));
      await expect(get('/bomb')).rejects.toMatchObject(failure('TOO_LARGE'));
    });
    it('refuses decompression bombs by their ratio, even nested ones', async () => {
      await expect(get('/bomb', { maxBytes: 1e9 })).rejects.toMatchObject(
        failure('DECOMPRESSION_BOMB', 'permanent'),
      );
      await expect(get('/bomb-in-bomb', { maxBytes: 1e9 })).rejects.toMatchObject(
        failure('DECOMPRESSION_BOMB'),
      );
    });
    it('reports a connection that is cut', async () =>
      expect(get('/cut')).rejects.toMatchObject(failure('CONNECTION_FAILED', 'transient')));
  });

  describe('time', () => {
    it('limits headers, body and the whole', async () => {
      await expect(get('/hang', { timeoutMs: 150 })).rejects.toMatchObject(failure('TIMEOUT', 'transient'));
      await expect(get('/hang-in-body', { timeoutMs: 150 })).rejects.toMatchObject(failure('TIMEOUT'));
      await expect(get('/drip', { timeoutMs: 300 })).rejects.toMatchObject(failure('TIMEOUT'));
    });
    it('limits the time between two chunks', async () => {
      // undici checks this timeout about once a second.
      const impatient = local({ idleTimeoutMs: 200 });
      await expect(impatient.fetch(`${origin}/hang`, LIMITS)).rejects.toMatchObject(failure('TIMEOUT'));
      const begun = await impatient.fetch(`${origin}/hang-in-body`, LIMITS);
      await expect(readBody(begun)).rejects.toMatchObject(failure('TIMEOUT'));
    });
    it('gives up a body that only drips', async () => {
      const result = await local({ slowBodyGraceMs: 200 }).fetch(`${origin}/drip`, LIMITS);
      await expect(readBody(result)).rejects.toMatchObject(failure('TIMEOUT'));
    });
    it('limits the number of interim responses', async () => {
      expect(await get('/processing')).toBe('<p>grüße</p>');
      await expect(get('/always-processing')).rejects.toMatchObject(failure('BAD_RESPONSE', 'permanent'));
    });
    it('aborts with its signal, before and in the body', async () => {
      const stop = new AbortController();
      const hanging = expect(get('/hang', { signal: stop.signal })).rejects.toThrow(/enough/);
      const reading = expect(get('/hang-in-body', { signal: stop.signal })).rejects.toThrow(/enough/);
      await sleep(100);
      stop.abort(new Error('enough'));
      await Promise.all([hanging, reading]);
      await expect(get('/page', { signal: stop.signal })).rejects.toThrow(/enough/);
    });
  });

  describe('statuses', () => {
    it('recognizes an unchanged page', async () => {
      const options = { ...LIMITS, conditional: { etag: '"1"' } };
      const unchanged = await local().fetch(`${origin}/not-modified`, options);
      expect([unchanged.status, unchanged.isUnchanged]).toEqual([304, true]);
      expect(await readBody(unchanged)).toHaveLength(0);
      const changed = await local().fetch(`${origin}/not-modified`, {
        ...LIMITS,
        conditional: { etag: '"0"' },
      });
      expect([changed.status, changed.isUnchanged]).toEqual([200, false]);
      changed.discard();
      await expect(get('/bare-304')).rejects.toMatchObject(failure('HTTP_STATUS', 'permanent'));
    });
    for (const [path, status, kind] of [
      ['/429', 429, 'rate-limited'],
      ['/503', 503, 'transient'],
      ['/403', 403, 'permanent'],
      ['/missing', 404, 'permanent'],
      ['/to-nowhere', 302, 'permanent'],
    ] as const) {
      it(`calls ${status} ${kind}`, async () =>
        expect(get(path)).rejects.toMatchObject({
          ...failure('HTTP_STATUS', kind),
          status,
          retryAfterMs: status === 429 ? 7000 : undefined,
        }));
    }
  });
});
