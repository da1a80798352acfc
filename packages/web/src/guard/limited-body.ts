import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { WebFetchError } from './fetch-errors.js';

/** Text rarely compresses to less than 1/100. Deflate can reach 1/1032, brotli far more. */
const MAX_RATIO = 250;
/** Small bodies may have any ratio: a page of spaces is not an attack. */
const RATIO_FREE_BYTES = 1024 * 1024;
/** More than one encoding is legal. Real servers use at most two. */
const MAX_ENCODINGS = 2;
/** `identity`, and values that servers send by mistake. Browsers accept them, too. */
const NO_COMPRESSION = /^(?:|identity|none|utf-?8|[78]bit|binary)$/;
/** A body with a lower mean rate is decompressedBytes up … */
const MIN_BYTES_PER_SECOND = 100;
/** … after this time. */
const SLOW_BODY_GRACE_MS = 10_000;

export interface BodyLimits {
  /** Maximum size after decompression. */
  maxBytes: number;
  /** Minimum mean rate of received bytes. Default 100. */
  minBytesPerSecond?: number;
  /** Time before the rate is checked. Default 10,000. */
  slowBodyGraceMs?: number;
}

/**
 * Decompresses the body of a response, with limits for size, compression ratio and slowness.
 *
 * @param contentEncoding the header's value, empty for none
 * @throws WebFetchError while it is read: `TOO_LARGE`, `DECOMPRESSION_BOMB`, `TIMEOUT` or `BAD_RESPONSE`;
 *   errors of `body` itself are rethrown
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
  let decompressedBytes = 0;
  try {
    for await (const chunk of chunks) {
      decompressedBytes += chunk.byteLength;
      if (decompressedBytes > limits.maxBytes) throw tooLarge(limits.maxBytes);
      if (
        decoders.length &&
        decompressedBytes > RATIO_FREE_BYTES &&
        decompressedBytes > received.bytes * MAX_RATIO
      )
        throw bomb();
      yield chunk;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    // Some servers declare an encoding for an empty body.
    if (received.bytes > 0) throw unreadable(error);
  } finally {
    decoded.destroy();
    raw.destroy();
    body.destroy();
  }
}

/** The error for a body of more than the allowed number of bytes. */
export function tooLarge(maxBytes: number): WebFetchError {
  const sentence = `The page is larger than the ${maxBytes} bytes allowed.`;
  return new WebFetchError('permanent', 'TOO_LARGE', sentence);
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
    // Compressed data may decompress to nothing.
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
  // The header lists them in the order in which they were applied.
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
  // `pipe` does not forward errors.
  input.on('error', (error) => decoder.destroy(error));
  return input.pipe(decoder);
}

function isZlibError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return /^(Z_|BR_|ERR__|ERR_BROTLI)/.test(error.code);
}

function bomb(): WebFetchError {
  const sentence = 'The page decompresses to far more data than a real page.';
  return new WebFetchError('permanent', 'DECOMPRESSION_BOMB', sentence);
}

function unreadable(cause: unknown): WebFetchError {
  const sentence = 'The page is compressed in a way that cannot be read.';
  return new WebFetchError('permanent', 'BAD_RESPONSE', sentence, { cause });
}
