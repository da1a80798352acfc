import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { WebFetchError } from './web-fetch.error.js';

/** Text rarely shrinks below 1/100; deflate can reach 1/1032, and brotli far more. */
const MAX_RATIO = 250;
/** Small bodies may have any ratio: a page of spaces is no attack. */
const RATIO_FREE_BYTES = 1024 * 1024;
/** More than one encoding is legal; more than two is nobody's honest answer. */
const MAX_ENCODINGS = 2;
/** `identity`, and what servers say by mistake: browsers read their pages. */
const NO_COMPRESSION = /^(?:|identity|none|utf-?8|[78]bit|binary)$/;
/** Below this mean rate a body counts as held back on purpose … */
const MIN_BYTES_PER_SECOND = 100;
/** … once this much time has passed. */
const SLOW_BODY_GRACE_MS = 10_000;

export interface BodyLimits {
  /** The most bytes after decompression. */
  maxBytes: number;
  /** Mean rate of received bytes under which the body is given up. Default 100. */
  minBytesPerSecond?: number;
  /** Time before the rate is looked at. Default 10,000. */
  slowBodyGraceMs?: number;
}

/**
 * A response's body, decompressed, within limits of size, inflation and slowness.
 *
 * @param contentEncoding the header's value, empty for none
 * @throws WebFetchError while it is read: `TOO_LARGE`, `DECOMPRESSION_BOMB`, `TIMEOUT` or `BAD_RESPONSE`; errors of
 *   `body` itself pass unchanged
 */
export async function* limitedBody(
  body: Readable,
  contentEncoding: string,
  limits: BodyLimits,
): AsyncGenerator<Uint8Array> {
  const received = { bytes: 0 };
  const raw = Readable.from(countReceived(body, received, limits), { objectMode: false });
  const decoders = decodersFor(contentEncoding);
  const decoded = decoders.reduce<Readable>((input, decoder) => pipe(input, decoder), raw);
  const chunks: AsyncIterable<Uint8Array> = decoded;
  let given = 0;
  try {
    for await (const chunk of chunks) {
      given += chunk.byteLength;
      if (given > limits.maxBytes) throw tooLarge(limits.maxBytes);
      if (decoders.length && given > RATIO_FREE_BYTES && given > received.bytes * MAX_RATIO) throw bomb();
      yield chunk;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    // Some servers label an empty body with an encoding too.
    if (received.bytes > 0) throw unreadable(error);
  } finally {
    decoded.destroy();
    raw.destroy();
    body.destroy();
  }
}

/** @throws WebFetchError `TOO_LARGE` for the permitted number of bytes */
export function tooLarge(maxBytes: number): WebFetchError {
  return new WebFetchError(
    'permanent',
    'TOO_LARGE',
    `The page is larger than the ${maxBytes} bytes allowed.`,
  );
}

async function* countReceived(
  body: Readable,
  received: { bytes: number },
  limits: BodyLimits,
): AsyncGenerator<Uint8Array> {
  const { maxBytes, minBytesPerSecond = MIN_BYTES_PER_SECOND, slowBodyGraceMs = SLOW_BODY_GRACE_MS } = limits;
  const chunks: AsyncIterable<Uint8Array> = body;
  const started = performance.now();
  for await (const chunk of chunks) {
    received.bytes += chunk.byteLength;
    // Compressed data that inflates to nothing must end too.
    if (received.bytes > maxBytes + RATIO_FREE_BYTES) throw tooLarge(maxBytes);
    const elapsedMs = performance.now() - started;
    if (elapsedMs > slowBodyGraceMs && received.bytes * 1000 < minBytesPerSecond * elapsedMs) {
      throw new WebFetchError('transient', 'TIMEOUT', 'The server sends the page too slowly.');
    }
    yield chunk;
  }
}

function decodersFor(contentEncoding: string): Transform[] {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !NO_COMPRESSION.test(name));
  if (names.length > MAX_ENCODINGS) throw unreadable(null);
  // Listed in the order they were applied: undone from the last.
  return names.reverse().map(decoderFor);
}

function decoderFor(name: string): Transform {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw unreadable(null);
  }
}

function pipe(input: Readable, decoder: Transform): Readable {
  // `pipe` alone does not pass errors on.
  input.on('error', (error) => decoder.destroy(error));
  return input.pipe(decoder);
}

function isZlibError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return /^(Z_|BR_|ERR__ERROR_FORMAT|ERR_BROTLI|ERR__)/.test(error.code);
}

function bomb(): WebFetchError {
  return new WebFetchError('permanent', 'DECOMPRESSION_BOMB', 'The page unpacks to far more than it should.');
}

function unreadable(cause: unknown): WebFetchError {
  return new WebFetchError(
    'permanent',
    'BAD_RESPONSE',
    'The page is compressed in a way that cannot be read.',
    {
      cause,
    },
  );
}
