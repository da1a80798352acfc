import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FilteringProxy, type FilteringProxyOptions } from './filtering-proxy.js';
import type { Resolver } from './guarded-connector.js';
import { TEST_IDENTITY } from './tls-identity.fixtures.js';

/** The DNS of a corporate network. */
const resolver: Resolver = async (name) => {
  if (name === 'intranet.test') return [{ address: '10.1.2.3', family: 4 }];
  if (name === 'public.test') return [{ address: '93.184.216.34', family: 4 }];
  if (name === 'www.direct.test') return [{ address: '127.0.0.1', family: 4 }];
  throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' });
};

for (const scheme of ['http', 'https'] as const) {
  describe(`FilteringProxy behind a proxy of ${scheme}`, () => {
    const servers: Server[] = [];
    const proxies: FilteringProxy[] = [];
    /** Requests to the proxy of the deployment. */
    const requests: { line: string; authorization: string | undefined }[] = [];
    let origin: number;
    let upstream: string;

    async function listen(server: Server): Promise<number> {
      servers.push(server);
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      // A server that listens on TCP has an AddressInfo.
      return (server.address() as AddressInfo).port;
    }
    async function start(options: FilteringProxyOptions = {}): Promise<FilteringProxy> {
      const proxy = await FilteringProxy.start({
        proxy: { url: upstream, bypass: ['.direct.test'] },
        resolver,
        ...options,
      });
      proxies.push(proxy);
      return proxy;
    }
    const portOf = (proxy: FilteringProxy): number => Number(new URL(proxy.url).port);
    const record = (incoming: IncomingMessage): void => {
      const authorization = incoming.headers['proxy-authorization'];
      requests.push({ line: `${incoming.method} ${incoming.url}`, authorization });
    };

    function get(
      proxy: FilteringProxy,
      url: string,
    ): Promise<{ status: number; refusal: unknown; text: string }> {
      return new Promise((resolve, reject) => {
        const outgoing = request({ host: '127.0.0.1', port: portOf(proxy), path: url, agent: false });
        outgoing.on('error', reject).on('response', async (answer) => {
          const chunks: Buffer[] = [];
          for await (const chunk of answer) chunks.push(chunk);
          const text = Buffer.concat(chunks).toString();
          resolve({ status: answer.statusCode ?? 0, refusal: answer.headers['x-refusal'], text });
        });
        outgoing.end();
      });
    }
    function tunnel(proxy: FilteringProxy, target: string): Promise<{ head: string; socket: Socket }> {
      return new Promise((resolve, reject) => {
        const socket = connect(portOf(proxy), '127.0.0.1', () =>
          socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: x\r\n\r\n`),
        );
        socket.once('data', (head: Buffer) => resolve({ head: head.toString(), socket })).on('error', reject);
      });
    }

    const caCertificates = getCACertificates('default');

    beforeAll(async () => {
      // Same effect as NODE_EXTRA_CA_CERTS, in the whole process.
      setDefaultCACertificates([...caCertificates, TEST_IDENTITY.cert]);
      origin = await listen(createServer((incoming, response) => response.end(incoming.headers.host)));
      const answer = (incoming: IncomingMessage, response: { end(text: string): unknown }): void => {
        record(incoming);
        response.end(`proxied ${incoming.headers.host}`);
      };
      const proxy = scheme === 'http' ? createServer(answer) : createTlsServer(TEST_IDENTITY, answer);
      proxy.on('connect', (incoming: IncomingMessage, socket: Socket) => {
        record(incoming);
        socket.on('error', () => undefined);
        if (incoming.url?.startsWith('silent.')) return;
        if (incoming.url?.startsWith('denied.')) {
          socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 6\r\n\r\ndenied');
          return;
        }
        // The first data of the server may arrive with the response of the proxy.
        socket.write('HTTP/1.1 200 OK\r\n\r\nfirst words ');
        socket.pipe(socket);
      });
      upstream = `${scheme}://us%40er:pass@localhost:${await listen(proxy)}`;
    });
    afterAll(async () => {
      setDefaultCACertificates(caCertificates);
      await Promise.all(proxies.map((proxy) => proxy.close()));
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    });

    it('forwards plain requests with absolute URLs and the credentials', async () => {
      const answer = await get(await start(), 'http://public.test/a?b');
      expect([answer.status, answer.text]).toEqual([200, 'proxied public.test']);
      const authorization = `Basic ${Buffer.from('us@er:pass').toString('base64')}`;
      expect(requests.at(-1)).toEqual({ line: 'GET http://public.test/a?b', authorization });
    });

    it('opens tunnels', async () => {
      const { head, socket } = await tunnel(await start(), 'known-to-the-proxy.test:443');
      expect(head).toMatch(/^HTTP\/1\.1 200 /);
      let heard = head.split('\r\n\r\n')[1] ?? '';
      socket.on('data', (data: Buffer) => (heard += data.toString()));
      socket.write('echo');
      while (!heard.endsWith('echo')) await sleep(5);
      expect(heard).toBe('first words echo');
      expect(requests.at(-1)?.line).toBe('CONNECT known-to-the-proxy.test:443');
      socket.destroy();
    });

    it('refuses private addresses and names without a request to the proxy', async () => {
      const proxy = await start();
      const known = requests.length;
      for (const host of ['127.0.0.1', '0x7f.1', '[::1]', '169.254.169.254', 'localhost', 'intranet.test']) {
        expect([host, (await get(proxy, `http://${host}/`)).refusal]).toEqual([host, 'ADDRESS_BLOCKED']);
        expect([host, (await tunnel(proxy, `${host}:443`)).head]).toEqual([
          host,
          expect.stringMatching(/^HTTP\/1\.1 403 /),
        ]);
      }
      expect(requests).toHaveLength(known);
    });

    it('connects directly to the hosts of `bypass`, and checks their addresses', async () => {
      const known = requests.length;
      const open = await start({ allowPrivateNetworks: ['127.0.0.0/8'] });
      expect((await get(open, `http://www.direct.test:${origin}/`)).text).toBe(`www.direct.test:${origin}`);
      const closed = await start();
      expect((await get(closed, `http://www.direct.test:${origin}/`)).refusal).toBe('ADDRESS_BLOCKED');
      expect(requests).toHaveLength(known);
    });

    it('distinguishes failures of the proxy', async () => {
      const [proxy, impatient] = [await start(), await start({ limits: { connectTimeoutMs: 200 } })];
      expect((await tunnel(proxy, 'denied.test:443')).head).toMatch(/^HTTP\/1\.1 502 [^]*PROXY_FAILED/);
      expect((await tunnel(impatient, 'silent.test:443')).head).toMatch(/^HTTP\/1\.1 504 [^]*TIMEOUT/);
      const nowhere = await start({ proxy: { url: 'http://127.0.0.1:9' } });
      expect((await get(nowhere, 'http://public.test/')).refusal).toBe('PROXY_FAILED');
    });
  });
}
