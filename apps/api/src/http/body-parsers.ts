import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { formatBytes } from '@citewell/contracts/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';
import { BodyBudget, type Reservation } from './body-budget.js';
import { isMultipart, UPLOAD_ROUTES } from './request-cost.js';

/** Limits of the rest of a refused body. Beyond them, the connection is closed. */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;
const DRAIN_TIMEOUT_MS = 30_000;

const MAX_JSON_DEPTH = 64;
/** Values in all arrays and objects together. */
const MAX_JSON_VALUES = 50_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Limit of JSON bodies without a text to store. The longest prompts and lists of ids are smaller. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;
/** Limit of JSON bodies with texts to store. Larger texts are uploaded as files, which are not kept in memory. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;
/** Allowance for JSON escapes in a text of the maximum size. */
const JSON_OVERHEAD = 1.25;

const TEXT_ROUTES = new Set([
  '/api/datasources',
  '/api/datasources/batch',
  '/api/datastores/update/:datastoreId',
  '/api/datastores/upsert/:datastoreId',
]);

/** The decoder of each Content-Encoding. The window of zstd is that of RFC 9659: a frame may ask for much more memory. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } })],
]);
const ENCODINGS = 'gzip, deflate, br, zstd';
const UNKNOWN_ENCODING = `The Content-Encoding of the request is not one of ${ENCODINGS}. Use one of them, or none.`;
const PACKED_FORM = 'A multipart/form-data request cannot have a Content-Encoding. Send it uncompressed.';

declare module 'fastify' {
  interface FastifyRequest {
    /** The memory of a JSON body, until the response is sent. */
    bodyReservation?: Reservation;
  }
}

/**
 * Accepts JSON on all routes and multipart on upload routes, and limits the size of bodies. An empty JSON
 * body counts as absent, because some clients send the header without a body. Call this before routes are
 * registered.
 *
 * @param maxUploadBytes maximum size of one file or text
 */
export function installBodyParsers(server: FastifyInstance, maxUploadBytes: number): void {
  const budget = new BodyBudget();
  server.addHook('preParsing', async (request, reply) => {
    const encoding = encodingOf(request.headers);
    const isForm = isMultipart(request.headers);
    if (encoding === null || (!isForm && DECODERS.has(encoding))) return;
    drainBody(request.raw);
    reply.header('Accept-Encoding', ENCODINGS);
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', isForm ? PACKED_FORM : UNKNOWN_ENCODING);
  });
  server.removeContentTypeParser(['application/json', 'text/plain']);
  // Keys such as `__proto__` are refused, not dropped.
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser(['application/json', 'application/scim+json'], (request, payload, done) => {
    readJson(request, unpacked(request.headers, payload), budget).then(
      (body) => (body === '' ? done(null, undefined) : void parseJson(request, body, done)),
      (error: Error) => {
        drainBody(request.raw);
        const encoding = encodingOf(request.headers);
        const isDamaged = encoding !== null && !(error instanceof ApiError);
        done(isDamaged ? new ApiError('INVALID_REQUEST', notEncoded(encoding), { cause: error }) : error);
      },
    );
  });

  server.addHook('onResponse', async (request) => request.bodyReservation?.release());

  server.addHook('onRoute', (route) => {
    route.bodyLimit = TEXT_ROUTES.has(route.url)
      ? Math.ceil(Math.min(maxUploadBytes, MAX_TEXT_BYTES) * JSON_OVERHEAD)
      : MAX_JSON_BYTES;
  });

  server.addHook('preValidation', async (request) => {
    if (!request.isMultipart() || UPLOAD_ROUTES.has(request.routeOptions.url ?? '')) return;
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The request must be JSON.');
  });
}

/** @throws {@link ApiError} if the body is too large or has too many values, or if the budget of memory is used up */
async function readJson(request: FastifyRequest, payload: Readable, budget: BodyBudget): Promise<string> {
  const { bodyLimit } = request.routeOptions;
  const limits = new JsonLimits();
  const reservation = budget.open(request.caller?.keyId ?? '');
  request.bodyReservation = reservation;
  const chunks: Buffer[] = [];
  // The stream of an HTTP request without a text encoding yields buffers.
  for await (const chunk of payload as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if (reservation.add(chunk.length) > bodyLimit)
      throw new ApiError(
        'PAYLOAD_TOO_LARGE',
        `The request is larger than ${formatBytes(bodyLimit)}. Upload a large text as a file.`,
      );
    if (!limits.accept(chunk))
      throw new ApiError('INVALID_REQUEST', 'The JSON of the request has too many values or levels.');
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** How the body of a request is compressed; null if it is not, or there is none. */
function encodingOf(headers: IncomingHttpHeaders): string | null {
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return isEmpty || encoding === '' || encoding === 'identity' ? null : encoding;
}

function unpacked(headers: IncomingHttpHeaders, payload: Readable): Readable {
  const decoder = DECODERS.get(encodingOf(headers) ?? '')?.();
  if (!decoder) return payload;
  // `pipeline` would close the connection when the decoder fails.
  payload.once('error', (error) => decoder.destroy(error));
  return payload.pipe(decoder);
}

function notEncoded(encoding: string): string {
  return `The body could not be unpacked: it is not valid ${encoding}, which its Content-Encoding says.`;
}

/**
 * Counts the values and the depth of JSON while its bytes arrive, before it is parsed. Millions of small values take
 * seconds to parse and validate; one long string does not. JSON that is not valid is left to the parser.
 */
export class JsonLimits {
  private depth = 0;
  private values = 0;
  private isInString = false;
  /** Whether the next byte of a string is escaped. */
  private isEscaped = false;

  /** @returns whether the JSON so far is within the limits */
  accept(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length; at += 1) {
      // Bytes of characters outside ASCII are 128 and above, so none of them looks like a sign of the syntax.
      const byte = bytes[at];
      if (this.isInString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === BACKSLASH) this.isEscaped = true;
        else if (byte === QUOTE) this.isInString = false;
        continue;
      }
      if (byte === QUOTE) {
        this.isInString = true;
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        this.depth += 1;
        this.values += 1;
        if (this.depth > MAX_JSON_DEPTH) return false;
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        this.depth -= 1;
      } else if (byte === COMMA) {
        this.values += 1;
      }
    }
    return this.values <= MAX_JSON_VALUES;
  }
}

/**
 * Reads and drops the rest of a refused body. An unread rest would block the connection: a client that is
 * still sending may never read the response, and its next request would never arrive. Above {@link MAX_DRAINED_BYTES}
 * or {@link DRAIN_TIMEOUT_MS} the connection is closed instead.
 */
export function drainBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), DRAIN_TIMEOUT_MS);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
  // The multipart parser has failed and may have stopped reading.
  request.unpipe();
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DRAINED_BYTES) request.destroy();
  });
  request.resume();
}
