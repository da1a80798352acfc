import { spawn } from 'node:child_process';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { remoteFetch } from './remote-fetch.js';

let server: Server;
let url: string;
let received: { method: string | undefined; headers: IncomingHttpHeaders; body: string };

beforeAll(async () => {
  server = createServer(async (request, response) => {
    if (request.url === '/moved') return response.writeHead(307, { location: '/' }).end();
    if (request.url === '/hang') return;
    received = { method: request.method, headers: request.headers, body: await text(request) };
    response.setHeader('x-answer', 'yes').end('{"ok":true}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // A server that listens on TCP has an AddressInfo.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => void jest.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('global')));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('remoteFetch', () => {
  it.each<[string, () => Promise<Response>]>([
    ['a string', () => remoteFetch(url, { method: 'POST', body: 'hello', headers: { 'x-a': '1' } })],
    ['a URL', () => remoteFetch(new URL(url), { method: 'POST', body: 'hello', headers: [['x-a', '1']] })],
    [
      'headers of the global class',
      () => remoteFetch(url, { method: 'POST', body: 'hello', headers: new Headers({ 'x-a': '1' }) }),
    ],
    [
      'a request of the global class',
      () => remoteFetch(new Request(url, { method: 'POST', body: 'hello', headers: { 'x-a': '1' } })),
    ],
    [
      'a request and options',
      () =>
        remoteFetch(new Request(url, { method: 'PUT', headers: { 'x-a': '1' } }), {
          method: 'POST',
          body: 'hello',
        }),
    ],
    [
      'a redirect',
      () => remoteFetch(`${url}/moved`, { method: 'POST', body: 'hello', headers: { 'x-a': '1' } }),
    ],
  ])('sends %s with the length of its body', async (_, send) => {
    const response = await send();
    expect(await response.json()).toEqual({ ok: true });
    expect(response.headers.get('x-answer')).toBe('yes');
    expect(received).toMatchObject({
      method: 'POST',
      headers: { 'x-a': '1', 'content-length': '5' },
      body: 'hello',
    });
    expect(received.headers['transfer-encoding']).toBeUndefined();
  });

  it('sends a form of the global class', async () => {
    const form = new FormData();
    form.append('name', 'Größe');
    form.append('file', new File(['content'], 'a b.txt', { type: 'text/plain' }));
    await remoteFetch(url, { method: 'POST', body: form });
    expect(received.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(received.body).toMatch(/name="name"\r\n\r\nGröße\r\n/);
    expect(received.body).toMatch(
      /name="file"; filename="a b\.txt"\r\nContent-Type: text\/plain\r\n\r\ncontent\r\n/i,
    );
  });

  it('sends a stream', async () => {
    const body = new Blob(['one ', 'two']).stream();
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
    await remoteFetch(url, init);
    expect(received.body).toBe('one two');
  });

  it.each([
    ['options', (signal: AbortSignal) => remoteFetch(`${url}/hang`, { signal })],
    ['a request', (signal: AbortSignal) => remoteFetch(new Request(`${url}/hang`, { signal }))],
  ])('is aborted by the signal of %s', async (_, send) => {
    const controller = new AbortController();
    const sent = send(controller.signal);
    controller.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
  });

  it('rejects with a TypeError and the code of the system if there is no server', async () => {
    const closed = createServer();
    await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await expect(remoteFetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      name: 'TypeError',
      cause: { code: 'ECONNREFUSED' },
    });
  });

  describe('with a proxy in the environment', () => {
    let proxy: Server;
    let asked: string[];

    beforeAll(async () => {
      // A request through the proxy gets no further than this.
      proxy = createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.end('from the proxy');
      });
      proxy.on('connect', ({ method, url: target }, socket) => {
        asked.push(`${method} ${target}`);
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      });
      await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    });
    beforeEach(() => void (asked = []));
    afterAll(() => {
      proxy.closeAllConnections();
      proxy.close();
    });

    /** Sends a request from a new process. @returns what it prints */
    async function fetchInProcess(target: string, environment: NodeJS.ProcessEnv, args: string[] = []) {
      const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      const program = `
        const { remoteFetch } = await import(${JSON.stringify(new URL('./remote-fetch.js', import.meta.url).href)});
        const text = await remoteFetch(${JSON.stringify(target)}).then((response) => response.text(), () => 'refused');
        process.stdout.write(text);`;
      const child = spawn(process.execPath, [...args, '--input-type=module', '-e', program], {
        env: { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl, ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return text(child.stdout);
    }

    it.each<[string, NodeJS.ProcessEnv, string[]]>([
      ['NODE_USE_ENV_PROXY', { NODE_USE_ENV_PROXY: '1' }, []],
      ['--use-env-proxy', {}, ['--use-env-proxy']],
    ])('uses it with %s', async (_, environment, args) => {
      expect(await fetchInProcess('https://models.example/v1', environment, args)).toBe('refused');
      expect(asked).toEqual(['CONNECT models.example:443']);
    });

    it.each<[string, NodeJS.ProcessEnv]>([
      ['without NODE_USE_ENV_PROXY', {}],
      ['for hosts in NO_PROXY', { NODE_USE_ENV_PROXY: '1', NO_PROXY: '127.0.0.1' }],
    ])('does not use it %s', async (_, environment) => {
      expect(await fetchInProcess(url, environment)).toBe('{"ok":true}');
      expect(asked).toEqual([]);
    });
  });
});
