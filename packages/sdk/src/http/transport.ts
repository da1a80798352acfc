import type { ErrorDetail } from '@citewell/contracts';
import { CitewellError, errorOf } from '../citewell-error.js';
import { Deadline, pause } from './deadline.js';
import { readEvents, type ServerEvent } from './event-reader.js';
import { parseJson } from './parse-json.js';
import { nextCursor, type Page, type PageParameters, Pages } from './pages.js';
import { normalizeBaseUrl, type QueryParameters, withQuery } from './request-path.js';

const FIRST_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 8_000;

/**
 * If the server asks for a longer delay, the error goes to the caller: a call should not block for minutes.
 */
const MAX_RETRY_AFTER_SECONDS = 60;

/** Temporary failures. A proxy responds with 502 or 504 while the server restarts. */
const TRANSIENT_STATUSES: readonly number[] = [429, 502, 503, 504];

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_RETRIES = 2;
const NOT_JSON = 'The response is not JSON. Check that the address belongs to a Citewell service.';

/** The part of the `fetch` signature that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface CitewellOptions {
  /**
   * The address of the service, e.g. `https://answers.example.com/api`. Without `/api` at its end, it is appended.
   */
  baseUrl: string;
  /** Without a key, the client uses the session cookie of the page's own origin. */
  apiKey?: string | undefined;
  /** Replaces the global `fetch`, e.g. for a proxy or for tests. */
  fetch?: Fetch | undefined;
  /**
   * Timeout of one attempt in milliseconds, default 60,000. For a stream, the maximum time between two chunks
   * (the server sends a keep-alive comment every 15 s). `Infinity` means no limit.
   */
  timeoutMs?: number | undefined;
  /** Maximum number of retries of a request that may safely be repeated, default 2. */
  maxRetries?: number | undefined;
}

/** Settings of one request. */
export interface RequestOptions {
  /** Aborts the request, which then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
}

export interface CreateOptions extends RequestOptions {
  /**
   * 1 to 255 visible ASCII characters. A second request with the same key and body within 24 h gets the
   * response of the first. With a key, the client retries the request after a transient failure.
   */
  idempotencyKey?: string | undefined;
}

/** A request of a resource. At most one of `json` and `form` is set. */
export interface ResourceRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: QueryParameters;
  json?: unknown;
  form?: FormData;
  accept?: string;
  headers?: Record<string, string>;
  /** Wraps or replaces `fetch` for this request, e.g. to report progress. */
  sendWith?: ((fetch: Fetch) => Fetch) | undefined;
  options?: CreateOptions | undefined;
}

/** A response whose body is streamed. */
export interface OpenResponse {
  headers: Headers;
  /** Ending the iteration closes the connection. */
  chunks: AsyncGenerator<Uint8Array, void, undefined>;
  /** Closes the connection from outside the iteration. */
  close: () => void;
}

/** The arguments of `fetch`. */
interface PreparedRequest {
  fetch: Fetch;
  url: string;
  init: RequestInit;
}

/** Sends requests. It alone handles the address, the key, timeouts, retries and errors. */
export class Transport {
  readonly #baseUrl: string;
  // A private field, so that a logged client does not show its key.
  readonly #authorization: Record<string, string>;
  readonly #fetch: Fetch;
  readonly #timeoutMs: number;
  readonly #maxRetries: number;

  /** @throws TypeError if the base URL or the API key is invalid */
  constructor({ baseUrl, apiKey, fetch, timeoutMs, maxRetries }: CitewellOptions) {
    // Checked here, because the error of `fetch` would contain the whole key.
    if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
      throw new TypeError('apiKey must be visible ASCII characters without spaces.');
    this.#baseUrl = normalizeBaseUrl(baseUrl);
    this.#authorization =
      apiKey === undefined ? { 'citewell-csrf': '1' } : { authorization: `Bearer ${apiKey}` };
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#timeoutMs = timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#maxRetries = maxRetries ?? DEFAULT_MAX_RETRIES;
  }

  /** The timeout of one attempt, in milliseconds. */
  timeoutMs(options: RequestOptions | undefined): number {
    return options?.timeoutMs ?? this.#timeoutMs;
  }

  async json<Value>(request: ResourceRequest): Promise<Value> {
    const { value } = await this.jsonWithHeaders<Value>(request);
    return value;
  }

  /** A list. The query of the request contains its filters. */
  list<Item>(request: Omit<ResourceRequest, 'method'>, { limit, cursor }: PageParameters = {}): Pages<Item> {
    const load = async (pageCursor: string | undefined): Promise<Page<Item>> => {
      const query = { ...request.query, limit, cursor: pageCursor };
      const { value, headers } = await this.jsonWithHeaders<Item[]>({ ...request, method: 'GET', query });
      return { items: value, nextCursor: nextCursor(headers.get('link')) };
    };
    return new Pages(load, cursor);
  }

  async jsonWithHeaders<Value>(request: ResourceRequest): Promise<{ value: Value; headers: Headers }> {
    return this.withRetries(request, async (prepared, deadline) => {
      try {
        const response = await this.send(prepared, deadline);
        const { status, headers } = response;
        const requestId = headers.get('x-request-id');
        return { value: parseJson<Value>(await response.text(), NOT_JSON, { status, requestId }), headers };
      } catch (error) {
        throw deadline.toCallerError(error);
      } finally {
        deadline.release();
      }
    });
  }

  /** Resolves when the headers of the response have arrived. Later failures are not retried. */
  async open(request: ResourceRequest): Promise<OpenResponse> {
    return this.withRetries(request, async (prepared, deadline) => {
      try {
        const response = await this.send(prepared, deadline);
        deadline.stop();
        return {
          headers: response.headers,
          chunks: readChunks(response, deadline),
          close: () => deadline.release(),
        };
      } catch (error) {
        deadline.release();
        throw deadline.toCallerError(error);
      }
    });
  }

  /** A response that is a stream of server-sent events. */
  async events(request: ResourceRequest): Promise<{ headers: Headers; events: AsyncIterable<ServerEvent> }> {
    const { headers, chunks, close } = await this.open({ ...request, accept: 'text/event-stream' });
    if (!/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) {
      close();
      throw new CitewellError(
        'INVALID_RESPONSE',
        'The response is not an event stream. Check that the address belongs to a Citewell service.',
        {
          requestId: headers.get('x-request-id'),
        },
      );
    }
    return { headers, events: readEvents(chunks) };
  }

  private deadline(limitMs: number, signal: AbortSignal | undefined): Deadline {
    return new Deadline(limitMs, signal, {
      timeout: `${this.#baseUrl} did not respond within ${limitMs / 1_000} s.`,
      network: `${this.#baseUrl} could not be reached, or the connection was interrupted.`,
    });
  }

  private async withRetries<Result>(
    request: ResourceRequest,
    attempt: (prepared: PreparedRequest, deadline: Deadline) => Promise<Result>,
  ): Promise<Result> {
    const prepared = this.prepare(request);
    const { signal, idempotencyKey, maxRetries = this.#maxRetries } = request.options ?? {};
    const hasIdempotencyKey = idempotencyKey !== undefined;
    const isRepeatable = request.method === 'GET' || request.method === 'PUT';
    const retryability = { isRetryable: isRepeatable || hasIdempotencyKey, hasIdempotencyKey };
    for (let failures = 0; ; failures += 1) {
      try {
        return await attempt(prepared, this.deadline(this.timeoutMs(request.options), signal));
      } catch (error) {
        const delayMs = failures < maxRetries ? retryDelayMs(error, retryability, failures) : null;
        if (delayMs === null) throw error;
        await pause(delayMs, signal);
      }
    }
  }

  /** Runs before the first attempt, so that an invalid argument is not reported as a network failure. */
  private prepare({
    method,
    path,
    query,
    json,
    form,
    accept,
    headers: ownHeaders,
    sendWith,
    options,
  }: ResourceRequest): PreparedRequest {
    const headers: Record<string, string> = {
      ...ownHeaders,
      ...this.#authorization,
      accept: accept ?? 'application/json',
      // Otherwise some routes ignore fields that they do not know, such as misspelled ones.
      prefer: 'handling=strict',
    };
    if (json !== undefined) headers['content-type'] = 'application/json';
    if (options?.idempotencyKey !== undefined) {
      if (!/^[\x21-\x7e]{1,255}$/.test(options.idempotencyKey))
        throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters.');
      headers['idempotency-key'] = options.idempotencyKey;
    }
    const body = form ?? (json === undefined ? null : JSON.stringify(json));
    return {
      fetch: sendWith?.(this.#fetch) ?? this.#fetch,
      url: `${this.#baseUrl}${withQuery(path, query)}`,
      init: { method, headers, body },
    };
  }

  private async send({ fetch, url, init }: PreparedRequest, { signal }: Deadline): Promise<Response> {
    const response = await fetch(url, { ...init, signal });
    if (!response.ok) throw toCitewellError(response, await response.text(), this.#baseUrl);
    return response;
  }
}

/** The timer runs only while the client waits for the server, not while the caller processes a chunk. */
async function* readChunks(
  { body }: Response,
  deadline: Deadline,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader();
  try {
    while (reader) {
      deadline.start();
      const { done, value } = await reader.read();
      deadline.stop();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw deadline.toCallerError(error);
  } finally {
    deadline.release();
  }
}

/** Converts an error response to an error. The body is the API's error envelope, or any body from a proxy. */
function toCitewellError(response: Response, body: string, baseUrl: string): CitewellError {
  const { status, headers } = response;
  const envelope = parseEnvelope(body);
  const context = {
    status,
    retryAfterSeconds: parseRetryAfter(headers.get('retry-after')),
    requestId: envelope?.requestId ?? headers.get('x-request-id'),
  };
  if (!envelope)
    return errorOf(
      `HTTP_${status}`,
      status === 404
        ? `${baseUrl} does not seem to be a Citewell server: HTTP status 404 without an error of Citewell.`
        : `${baseUrl} responded with HTTP status ${status}.`,
      context,
    );
  return errorOf(envelope.error, envelope.message, { ...context, details: envelope.details });
}

interface Envelope {
  error: string;
  message: string;
  details: ErrorDetail[];
  requestId: string | null;
}

function parseEnvelope(body: string): Envelope | null {
  const value = parseObject(body);
  if (!value || typeof value['error'] !== 'string' || typeof value['message'] !== 'string') return null;
  return {
    error: value['error'],
    message: value['message'],
    details: Array.isArray(value['details']) ? value['details'].filter(isDetail) : [],
    requestId: typeof value['requestId'] === 'string' ? value['requestId'] : null,
  };
}

function parseObject(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    // A JSON object has string keys. The callers check each value.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function isDetail(value: unknown): value is ErrorDetail {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    'message' in value &&
    typeof value.path === 'string' &&
    typeof value.message === 'string'
  );
}

/** Whether a request may be sent more than once. */
interface Retryability {
  /** A GET, or a request with an `Idempotency-Key`. */
  isRetryable: boolean;
  hasIdempotencyKey: boolean;
}

/**
 * The delay before the next attempt in milliseconds, or null if there should be no further attempt.
 *
 * @param attempt number of failed attempts before this one
 * @param random 0 to 1, for the jitter
 */
export function retryDelayMs(
  error: unknown,
  { isRetryable, hasIdempotencyKey }: Retryability,
  attempt: number,
  random: number = Math.random(),
): number | null {
  if (!isRetryable || !(error instanceof CitewellError)) return null;
  const { status, code, retryAfterSeconds } = error;
  const isTransient =
    code === 'NETWORK' ||
    code === 'TIMEOUT' ||
    TRANSIENT_STATUSES.includes(status) ||
    // The first request with this key is still in progress. A later attempt gets its response.
    (hasIdempotencyKey && status === 409 && retryAfterSeconds !== null);
  if (!isTransient) return null;
  if (retryAfterSeconds !== null) {
    return retryAfterSeconds > MAX_RETRY_AFTER_SECONDS ? null : retryAfterSeconds * 1_000;
  }
  // Exponential backoff with jitter, so that clients that failed together do not retry together.
  return Math.min(MAX_RETRY_DELAY_MS, FIRST_RETRY_DELAY_MS * 2 ** attempt) * (0.5 + random / 2);
}

/** Parses `Retry-After` (RFC 9110, 10.2.3), a number or a date, to seconds. Null if absent or invalid. */
export function parseRetryAfter(header: string | null, now: number = Date.now()): number | null {
  if (header === null) return null;
  const value = header.trim();
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000));
}
