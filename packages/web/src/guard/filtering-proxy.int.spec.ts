import { createServer, request, type Server } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FilteringProxy, type FilteringProxyOptions } from './filtering-proxy.js';

const LOCAL: FilteringProxyOptions = { allowPrivateNetworks: ['127.0.0.1/32'] };

describe('FilteringProxy', () => {
  const proxies: FilteringProxy[] = [];
  const servers: (Server | TcpServer)[] = [];
  let origin: number;
  let echo: number;
  /** Reads everything and sends nothing. */
  let sink: number;

  async function listen(server: Server | TcpServer): Promise<number> {
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    // A server that listens on TCP has an AddressInfo.
    return (server.address() as AddressInfo).port;
  }
  async function start(options: FilteringProxyOptions = LOCAL): Promise<FilteringProxy> {
    const proxy = await FilteringProxy.start(options);
    proxies.push(proxy);
    return proxy;
  }
  const portOf = (proxy: FilteringProxy): number => Number(new URL(proxy.url).port);

  /** A plain request, as a browser sends it. */
  function get(
    proxy: FilteringProxy,
    url: string,
    { method = 'GET', body = '', headers = {} } = {},
  ): Promise<{ status: number; refusal: unknown; text: string; headers: Record<string, unknown> }> {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        host: '127.0.0.1',
        port: portOf(proxy),
        path: url,
        method,
        headers,
        agent: false,
      });
      outgoing.on('error', reject).on('response', (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            refusal: answer.headers['x-refusal'],
            text: Buffer.concat(chunks).toString(),
            headers: answer.headers,
          }),
        );
      });
      outgoing.end(body);
    });
  }

  /** A tunnel with the status line of the response. */
  function tunnel(proxy: FilteringProxy, target: string): Promise<{ status: string; socket: Socket }> {
    return new Promise((resolve, reject) => {
      const socket = connect(portOf(proxy), '127.0.0.1', () =>
        socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: x\r\n\r\n`),
      );
      socket.once('data', (head: Buffer) =>
        resolve({ status: head.toString().split('\r\n')[0] ?? '', socket }),
      );
      socket.on('error', reject);
    });
  }
  const closed = (socket: Socket): Promise<void> =>
    new Promise((resolve) =>
      socket.destroyed ? resolve() : socket.on('error', () => undefined).on('close', () => resolve()),
    );

  beforeAll(async () => {
    origin = await listen(
      createServer((incoming, response) => {
        if (incoming.url === '/large') {
          response.end(Buffer.alloc(3_000_000));
          return;
        }
        const seen = { url: incoming.url, method: incoming.method, headers: incoming.headers };
        response.setHeader('set-cookie', ['a=1', 'b=2']);
        incoming
          .on('data', (chunk: Buffer) => response.write(chunk))
          .on('end', () => response.end(JSON.stringify(seen)));
      }),
    );
    sink = await listen(createTcpServer((socket) => socket.on('error', () => undefined).resume()));
    echo = await listen(createTcpServer((socket) => socket.on('error', () => undefined).pipe(socket)));
  });
  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()));
    for (const server of servers) server.close();
  });

  it('forwards plain requests, without the headers of the connection', async () => {
    const proxy = await start();
    const headers = {
      'proxy-connection': 'keep-alive',
      connection: 'x-private',
      'x-private': '1',
      'x-kept': '2',
    };
    const answer = await get(proxy, `http://127.0.0.1:${origin}/a?b`, {
      method: 'POST',
      body: 'sent',
      headers,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(answer.text.startsWith('sent')).toBe(true);
    const seen = JSON.parse(answer.text.slice(4));
    expect([seen.url, seen.method, seen.headers.host]).toEqual(['/a?b', 'POST', `127.0.0.1:${origin}`]);
    expect(seen.headers['x-kept']).toBe('2');
    expect(seen.headers['x-private'] ?? seen.headers['proxy-connection']).toBeUndefined();
  });

  it('tunnels', async () => {
    const proxy = await start();
    const { status, socket } = await tunnel(proxy, `127.0.0.1:${echo}`);
    expect(status).toBe('HTTP/1.1 200 Connection Established');
    const echoed = new Promise((resolve) => socket.once('data', (data: Buffer) => resolve(data.toString())));
    socket.write('hello');
    expect(await echoed).toBe('hello');
    socket.destroy();
  });

  for (const host of [
    '127.0.0.2',
    '0x7f.2',
    '2130706434',
    '10.0.0.1',
    '[::1]',
    '[::ffff:10.0.0.1]',
    '169.254.169.254',
    '[fd00:ec2::254]',
  ]) {
    it(`refuses ${host} for plain requests and tunnels`, async () => {
      const proxy = await start();
      const { status, refusal } = await get(proxy, `http://${host}/`);
      expect([status, refusal]).toEqual([403, 'ADDRESS_BLOCKED']);
      expect((await tunnel(proxy, `${host}:443`)).status).toMatch(/ 403 /);
    });
  }

  it('checks the resolved address while connecting', async () => {
    let lookups = 0;
    const proxy = await start({
      ...LOCAL,
      resolver: async () => [{ address: (lookups += 1) === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }],
    });
    expect((await get(proxy, `http://rebind.test:${origin}/`)).status).toBe(200);
    expect((await get(proxy, `http://rebind.test:${origin}/`)).refusal).toBe('ADDRESS_BLOCKED');
    expect(lookups).toBe(2);
  });

  it('refuses blocked ports and invalid targets', async () => {
    const proxy = await start();
    expect((await get(proxy, 'http://example.org:6379/')).refusal).toBe('PORT_BLOCKED');
    expect((await tunnel(proxy, 'example.org:25')).status).toMatch(/ 403 /);
    for (const target of [
      'example.org',
      'example.org:443/x',
      'u:p@example.org:443',
      ':443',
      'example.org:99999',
    ]) {
      expect([target, (await tunnel(proxy, target)).status]).toEqual([
        target,
        expect.stringMatching(/ 400 /),
      ]);
    }
    for (const url of [
      '/relative',
      'https://example.org/',
      'ftp://example.org/',
      'http://u:p@example.org/',
    ]) {
      expect([url, (await get(proxy, url)).status]).toEqual([url, 400]);
    }
  });

  it('returns the code of a failure', async () => {
    const proxy = await start({
      ...LOCAL,
      resolver: () => Promise.reject(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' })),
    });
    const unknown = await get(proxy, 'http://nowhere.test/');
    expect([unknown.status, unknown.refusal]).toEqual([502, 'DNS_FAILED']);
    expect((await get(proxy, 'http://127.0.0.1:9999/')).refusal).toEqual('CONNECTION_FAILED');
  });

  it('closes connections with too much data, in both directions', async () => {
    const proxy = await start({ ...LOCAL, limits: { maxBytesPerConnection: 100_000 } });
    await expect(get(proxy, `http://127.0.0.1:${origin}/large`)).rejects.toThrow();
    const { socket: echoing } = await tunnel(proxy, `127.0.0.1:${echo}`);
    echoing.on('data', () => undefined).write(Buffer.alloc(200_000));
    await closed(echoing);
    const { socket: sending } = await tunnel(proxy, `127.0.0.1:${sink}`);
    const ended = closed(sending);
    for (let piece = 0; piece < 20 && !sending.destroyed; piece += 1) {
      sending.write(Buffer.alloc(20_000));
      await sleep(5);
    }
    await ended;
  });

  it('closes connections that last too long', async () => {
    const proxy = await start({ ...LOCAL, limits: { maxConnectionMs: 50 } });
    await closed((await tunnel(proxy, `127.0.0.1:${echo}`)).socket);
  });

  it('limits the number of connections', async () => {
    const proxy = await start({ ...LOCAL, limits: { maxConnections: 2 } });
    const sockets = [
      (await tunnel(proxy, `127.0.0.1:${echo}`)).socket,
      (await tunnel(proxy, `127.0.0.1:${echo}`)).socket,
    ];
    await expect(get(proxy, `http://127.0.0.1:${origin}/`)).rejects.toThrow();
    for (const socket of sockets) socket.destroy();
    await sleep(50);
    expect((await get(proxy, `http://127.0.0.1:${origin}/`)).status).toBe(200);
  });

  it('survives clients that disconnect, and closes all connections at its end', async () => {
    const proxy = await start();
    const broken = connect(portOf(proxy), '127.0.0.1', () => broken.write('CONNECT \0\r\n\r\n'));
    await closed(broken);
    const { socket } = await tunnel(proxy, `127.0.0.1:${echo}`);
    await Promise.all([proxy.close(), closed(socket)]);
  });

  it('gives Chromium no access except through the proxy', async () => {
    const proxy = await start();
    const args = proxy.chromiumArguments();
    expect(args.every((argument) => !argument.includes(proxy.url))).toBe(true);
    expect(args.some((argument) => argument.startsWith('--proxy-server='))).toBe(true);
    expect(proxy.contextProxy).toEqual({ server: proxy.url, bypass: '<-loopback>' });
    expect(args).toContain('--proxy-bypass-list=<-loopback>');
  });
});
