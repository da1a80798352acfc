import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Resolver } from './guarded-connector.js';
import { GuardedHttpClient, type GuardedHttpClientOptions, readBody } from './guarded-http.client.js';
import { TEST_IDENTITY } from './tls-identity.fixtures.js';
import { type WebFetchErrorCode } from './fetch-errors.js';

const LIMITS = { maxBytes: 10_000, timeoutMs: 5000 };
/** The DNS of a corporate network. */
const resolver: Resolver = async (name) => {
  if (name === 'intranet.test') return [{ address: '10.1.2.3', family: 4 }];
  if (name === 'public.test') return [{ address: '93.184.216.34', family: 4 }];
  throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' });
};

describe('GuardedHttpClient behind a proxy', () => {
  const servers: Server[] = [];
  const clients: GuardedHttpClient[] = [];
  /** Requests to the proxy. */
  const requests: { line: string; authorization: string | undefined }[] = [];
  let origin: number;
  let secureOrigin: number;
  let proxyUrl: string;

  async function listen(server: Server): Promise<number> {
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    // A server that listens on TCP has an AddressInfo.
    return (server.address() as AddressInfo).port;
  }
  const answer = (incoming: IncomingMessage, response: ServerResponse): void => {
    if (incoming.url === '/to-private') response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
    else if (incoming.url === '/to-intranet')
      response.writeHead(302, { location: 'https://intranet.test/' }).end();
    else response.end(`${incoming.headers.host}${incoming.url}`);
  };

  beforeAll(async () => {
    origin = await listen(createServer(answer));
    secureOrigin = await listen(createTlsServer(TEST_IDENTITY, answer));
    // Connects to the servers of the test, whatever the name.
    const proxy = createServer((incoming, response) => {
      requests.push({
        line: `${incoming.method} ${incoming.url}`,
        authorization: incoming.headers['proxy-authorization'],
      });
      const { pathname, search, host } = new URL(incoming.url ?? '');
      const outgoing = request({
        host: '127.0.0.1',
        port: origin,
        path: pathname + search,
        headers: { host },
      });
      outgoing.on('response', (found) =>
        found.pipe(response.writeHead(found.statusCode ?? 500, found.headers)),
      );
      outgoing.end();
    });
    proxy.on('connect', (incoming, socket) => {
      requests.push({
        line: `CONNECT ${incoming.url}`,
        authorization: incoming.headers['proxy-authorization'],
      });
      if (incoming.url?.startsWith('denied.')) {
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        return;
      }
      const server = connect(secureOrigin, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        server.pipe(socket).pipe(server);
      });
      server.on('error', () => socket.destroy());
      socket.on('error', () => server.destroy());
    });
    proxyUrl = `http://user:pass@127.0.0.1:${await listen(proxy)}`;
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  function client(options: Partial<GuardedHttpClientOptions> = {}): GuardedHttpClient {
    const made = new GuardedHttpClient({ userAgent: 'test', resolver, proxy: { url: proxyUrl }, ...options });
    clients.push(made);
    return made;
  }
  const get = async (url: string, options: Partial<GuardedHttpClientOptions> = {}): Promise<string> =>
    (await readBody(await client(options).fetch(url, LIMITS))).toString();
  const fails = (
    url: string,
    code: WebFetchErrorCode,
    options?: Partial<GuardedHttpClientOptions>,
  ): Promise<void> => expect(get(url, options)).rejects.toMatchObject({ name: 'WebFetchError', code });

  it('sends http as plain requests, with the credentials of the proxy', async () => {
    expect(await get('http://public.test/a?b')).toBe('public.test/a?b');
    const authorization = `Basic ${Buffer.from('user:pass').toString('base64')}`;
    expect(requests.at(-1)).toEqual({ line: 'GET http://public.test/a?b', authorization });
  });

  it('lets the proxy resolve names that it cannot resolve', async () => {
    expect(await get('http://known-to-the-proxy.test/')).toBe('known-to-the-proxy.test/');
  });

  it('refuses private addresses and names without a request to the proxy', async () => {
    const known = requests.length;
    for (const host of [
      '127.0.0.1',
      '0x7f.1',
      '[::1]',
      '169.254.169.254',
      'localhost',
      'x.localhost',
      'intranet.test',
    ]) {
      await fails(`http://${host}/`, 'ADDRESS_BLOCKED');
      await fails(`https://${host}/`, 'ADDRESS_BLOCKED');
    }
    expect(requests).toHaveLength(known);
  });

  it('refuses them after redirects, too', async () => {
    await fails('http://public.test/to-private', 'ADDRESS_BLOCKED');
    await fails('http://public.test/to-intranet', 'ADDRESS_BLOCKED');
  });

  it('permits allowed networks', async () => {
    expect(await get('http://intranet.test/', { allowPrivateNetworks: ['10.0.0.0/8'] })).toBe(
      'intranet.test/',
    );
  });

  it('connects directly to the hosts of `bypass`', async () => {
    const known = requests.length;
    const options = {
      proxy: { url: proxyUrl, bypass: ['.direct.test'] },
      allowPrivateNetworks: ['127.0.0.0/8'],
      resolver: async () => [{ address: '127.0.0.1', family: 4 }],
    };
    expect(await get(`http://www.direct.test:${origin}/`, options)).toBe(`www.direct.test:${origin}/`);
    expect(requests).toHaveLength(known);
    await get(`http://notdirect.test:${origin}/`, options);
    expect(requests).toHaveLength(known + 1);
  });

  it('tunnels https and checks the certificate', async () => {
    await fails('https://secure.test/', 'TLS_FAILED');
    expect(requests.at(-1)?.line).toBe('CONNECT secure.test:443');
  });

  it('trusts the CA of NODE_EXTRA_CA_CERTS', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'citewell-ca-'));
    try {
      await writeFile(join(folder, 'ca.pem'), TEST_IDENTITY.cert);
      const module = new URL('./guarded-http.client.js', import.meta.url).href;
      const script = `
        const { GuardedHttpClient, readBody } = await import(${JSON.stringify(module)});
        const client = new GuardedHttpClient({ userAgent: 'test', proxy: { url: ${JSON.stringify(proxyUrl)} } });
        const page = await client.fetch('https://secure.test/page', { maxBytes: 1000, timeoutMs: 5000 });
        process.stdout.write(await readBody(page));
        await client.close();`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const printed: Buffer[] = [];
      for await (const chunk of child.stdout) printed.push(chunk);
      expect(Buffer.concat(printed).toString()).toBe('secure.test/page');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('distinguishes failures of the proxy', async () => {
    await fails('https://denied.test/', 'PROXY_FAILED');
  });

  it('throws for a proxy with another scheme', () => {
    for (const url of ['', 'proxy:3128', 'socks5://127.0.0.1:1080']) {
      expect(() => client({ proxy: { url } })).toThrow(TypeError);
    }
  });
});
