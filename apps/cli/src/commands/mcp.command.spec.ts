import { PassThrough } from 'node:stream';
import { expect, it, jest } from '@jest/globals';
import { proxyMessages } from './mcp.command.js';

const SERVICE = { url: 'http://citewell.example/mcp', apiKey: 'cw_key' };

/** Sends the lines to a service that answers with `respond`, and returns what the proxy writes. */
async function proxied(lines: readonly string[], respond: (init: RequestInit) => Promise<Response>) {
  const fetch = jest.fn<typeof globalThis.fetch>((_, init) => respond(init ?? {}));
  const input = new PassThrough();
  const written: unknown[] = [];
  const done = proxyMessages(
    input,
    { write: (line) => written.push(JSON.parse(line)) },
    { ...SERVICE, fetch },
  );
  for (const line of lines) {
    input.write(`${line}\n`);
    // Until the proxy has processed the line.
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  input.end();
  await done;
  return { written, requests: fetch.mock.calls.map(([, init]) => init) };
}

const REQUEST = '{"jsonrpc":"2.0","id":7,"method":"tools/list"}';
const json =
  (body: object, status = 200) =>
  async () =>
    new Response(JSON.stringify(body), { status });
const failure = (message: string, code = -32_000, id: number | null = 7) => [
  { jsonrpc: '2.0', id, error: { code, message } },
];

it.each<[title: string, line: string, respond: () => Promise<Response>, written: object[]]>([
  [
    'a response',
    REQUEST,
    json({ jsonrpc: '2.0', id: 7, result: {} }),
    [{ jsonrpc: '2.0', id: 7, result: {} }],
  ],
  [
    'a notification',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    async () => new Response(null, { status: 202 }),
    [],
  ],
  ['a line that is not JSON', 'hello', json({}), failure('The line is not JSON.', -32_700, null)],
  [
    'a wrong key',
    REQUEST,
    json({}, 401),
    failure('The service rejected the API key. Check CITEWELL_API_KEY.'),
  ],
  [
    'an error of the API',
    REQUEST,
    json({ message: 'Too many requests.' }, 429),
    failure('Too many requests.'),
  ],
  [
    'another server',
    REQUEST,
    async () => new Response('<html>'),
    failure(
      'http://citewell.example/mcp did not answer with JSON. Check that CITEWELL_URL is the address of a Citewell service.',
    ),
  ],
  [
    'no server',
    REQUEST,
    () => Promise.reject(new TypeError('fetch failed')),
    failure(
      'http://citewell.example/mcp could not be reached. Check that the service is running and that CITEWELL_URL is its address.',
    ),
  ],
])('passes on %s', async (_, line, respond, written) => {
  expect((await proxied([line], respond)).written).toEqual(written);
});

it('sends the key, and the version of the protocol when it is known', async () => {
  const result = { protocolVersion: '2025-06-18' };
  const { requests } = await proxied([REQUEST, REQUEST], json({ jsonrpc: '2.0', id: 7, result }));
  expect(requests.map((init) => new Headers(init?.headers).get('mcp-protocol-version'))).toEqual([
    null,
    '2025-06-18',
  ]);
  expect(new Headers(requests[0]?.headers).get('authorization')).toBe('Bearer cw_key');
});

it('aborts a request that is cancelled, and those in progress when the input ends, without a response', async () => {
  const never = ({ signal }: RequestInit) =>
    new Promise<Response>((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}';
  const { written, requests } = await proxied([REQUEST, cancel, REQUEST.replace('7', '8')], never);
  expect(written).toEqual([]);
  expect(requests.map((init) => init?.signal?.aborted)).toEqual([true, true]);
});
