import { brotliCompressSync, gzipSync } from 'node:zlib';
import { headOf, redirectTo, respond, type Routes, sendBytes, sendEndlessly } from './hostile-server.js';
import { type HostileSite, MEGABYTE } from './hostile-content.js';

const TEXT = '<p>The page of a hostile server tells of nothing, at some length and in plain words.</p>';
const HTML = { 'content-type': 'text/html' };
const CHUNKED = { ...HTML, 'transfer-encoding': 'chunked' };

const failed = (name: string, respondWith: Routes[string]): HostileSite => ({
  name,
  routes: { '/': respondWith },
  outcome: 'error SITE_FAILED',
});

/** Responses that never end, lie about themselves, or are no HTTP. */
export const HOSTILE_RESPONSES: readonly HostileSite[] = [
  failed('an endless body', sendEndlessly(headOf('200 OK', HTML), TEXT.repeat(1_000))),
  failed('endless headers', sendEndlessly('HTTP/1.1 200 OK\r\n', `X: ${'x'.repeat(8_000)}\r\n`)),
  failed('a header of 20 MB', sendBytes(headOf('200 OK', { ...HTML, X: 'x'.repeat(20 * MEGABYTE) }) + TEXT)),
  failed(
    '100,000 cookies',
    sendBytes(
      headOf('200 OK', HTML).replace('\r\n\r\n', `${'\r\nSet-Cookie: a=b'.repeat(100_000)}\r\n\r\n${TEXT}`),
    ),
  ),
  failed('endless interim responses', sendEndlessly('', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n')),
  failed('a longer Content-Length', sendBytes(headOf('200 OK', { ...HTML, 'content-length': 9_999 }) + TEXT)),
  {
    name: 'a shorter Content-Length',
    routes: {
      '/': sendBytes(
        headOf('200 OK', { ...HTML, 'content-length': TEXT.length }) + TEXT + 'garbage '.repeat(MEGABYTE),
      ),
    },
    outcome: 'synched',
  },
  failed(
    'a Content-Length of 10^30',
    sendBytes(headOf('200 OK', { ...HTML, 'content-length': `1${'0'.repeat(30)}` }) + TEXT),
  ),
  failed(
    'two Content-Lengths',
    sendBytes(headOf('200 OK', { ...HTML, 'content-length': 4, 'Content-Length': 80 }) + TEXT),
  ),
  failed(
    'a chunk of 2^60 bytes',
    sendEndlessly(`${headOf('200 OK', CHUNKED)}fffffffffffffff\r\n`, TEXT.repeat(1_000)),
  ),
  failed(
    'chunks of one byte without end',
    sendEndlessly(headOf('200 OK', CHUNKED), '1\r\nx\r\n'.repeat(5_000)),
  ),
  failed(
    'endless trailers',
    sendEndlessly(`${headOf('200 OK', CHUNKED)}0\r\n`, `X: ${'x'.repeat(8_000)}\r\n`),
  ),
  failed('no HTTP', sendBytes(Buffer.alloc(MEGABYTE, 'SSH-2.0-OpenSSH\r\n'))),
  {
    name: 'pipelined responses after the body',
    routes: {
      '/': sendBytes(
        `${headOf('200 OK', { ...HTML, connection: 'keep-alive', 'content-length': TEXT.length })}${TEXT}` +
          headOf('302 Found', { location: 'file:///etc/passwd', 'content-length': 0 }).repeat(1_000),
        { stays: true },
      ),
    },
    outcome: 'synched',
  },
];

const zeros = (megabytes: number): Buffer => Buffer.alloc(megabytes * MEGABYTE);
const bomb = (body: Uint8Array, encoding: string) => respond(body, { 'content-encoding': encoding });

/** Responses that the crawler waits for, several times. */
export const SLOW_RESPONSES: readonly HostileSite[] = [
  failed('one byte a second', sendEndlessly(headOf('200 OK', HTML), 'x', 1_000)),
  failed('one byte of the headers a second', sendEndlessly('HTTP/1.1 200 OK\r\nX: ', 'x', 1_000)),
  failed('no response', () => undefined),
  failed('an endless chunk extension', sendEndlessly(`${headOf('200 OK', CHUNKED)}5;a=`, 'x'.repeat(60_000))),
  failed('an endless status line', sendEndlessly('HTTP/1.1 200 ', 'OK'.repeat(30_000))),
];

/** Redirects and compression bombs. */
export const HOSTILE_HOPS: readonly HostileSite[] = [
  {
    name: 'endless redirects with growing addresses',
    routes: {
      '*': (socket) => redirectTo(`/${'x'.repeat((socket.remotePort ?? 0) % 400)}${Math.random()}`)(socket),
    },
    outcome: 'error SITE_FAILED',
  },
  failed('a redirect to an address of 15 kB', redirectTo(`/${'x'.repeat(15_000)}`)),
  ...[
    'file:///etc/passwd',
    'data:text/html,<p>x',
    'http://[::1',
    'http://127.0.0.2/',
    'http://169.254.169.254/latest/meta-data/',
  ].map((location) => failed(`a redirect to ${location}`, redirectTo(location))),
  failed('a gzip bomb', bomb(gzipSync(zeros(300)), 'gzip')),
  failed('a brotli bomb', bomb(brotliCompressSync(zeros(300)), 'br')),
  failed('a bomb in a bomb', bomb(gzipSync(gzipSync(zeros(300))), 'gzip, gzip')),
  failed('a brotli bomb in a gzip bomb', bomb(gzipSync(brotliCompressSync(zeros(300))), 'br, gzip')),
  failed('a hundred encodings', bomb(gzipSync(TEXT), Array(100).fill('gzip').join())),
  failed('10,000 members of gzip', bomb(Buffer.concat(Array(10_000).fill(gzipSync(zeros(1)))), 'gzip')),
  failed('noise that is called gzip', bomb(Buffer.alloc(MEGABYTE, TEXT), 'gzip')),
];
