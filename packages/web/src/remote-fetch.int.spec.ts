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
});
