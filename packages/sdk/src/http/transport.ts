import { CitewellError } from '../citewell-error.js';
import { Deadline } from './deadline.js';
import { toCitewellError } from './error-response.js';
import { readEvents, type ServerEvent } from './event-reader.js';
import { nextCursor, type Page, type PageParameters, Pages } from './pages.js';
import { pause } from './pause.js';
import { normalizeBaseUrl, type QueryParameters, withQuery } from './request-path.js';
import { retryDelayMs } from './retry-policy.js';

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_RETRIES = 2;

/** What the client needs of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface CitewellOptions {
  /** The service's address, e.g. `https://answers.example.com/api`; without a path, `/api` is added. */
  baseUrl: string;
  apiKey: string;
  /** Stands in for the global `fetch`: for a proxy, for tests. */
  fetch?: Fetch | undefined;
  /**
   * How long one attempt may take, in milliseconds, default 60,000; for streams, how long the server may be
   * silent (it sends a sign of life every 15 s).
   * `Infinity` is no limit.
   */
  timeoutMs?: number | undefined;
  /** Further attempts of what may safely be repeated, default 2. */
  maxRetries?: number | undefined;
}

/** Settings of one request. */
export interface RequestOptions {
  /** Ends the request; it then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
}

export interface CreateOptions extends RequestOptions {
  /**
   * Up to 255 visible ASCII characters. The same key and body within 24 h give the first one's answer; with it the
   * request is repeated by itself when it fails on the way.
   */
  idempotencyKey?: string | undefined;
}

/** A request as the resources describe it. At most one of `json` and `form`. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: QueryParameters;
  json?: unknown;
  form?: FormData;
  accept?: string;
  options?: CreateOptions | undefined;
}

/** An answer whose body is read piece by piece. */
export interface OpenResponse {
  headers: Headers;
  /** Leaving the loop closes the connection. */
  chunks: AsyncGenerator<Uint8Array, void, undefined>;
  /** Closes it from outside the loop. */
  close: () => void;
}

/** What `fetch` is given. */
interface PreparedRequest {
  url: string;
  init: RequestInit;
}

/** Sends requests: address, key, limits of time, retries and errors are settled here, and nowhere else. */
export class Transport {
  readonly #baseUrl: string;
  // Private to the engine, so that a logged client does not show its key.
  readonly #authorization: string;
  readonly #fetch: Fetch;
  readonly #timeoutMs: number;
  readonly #maxRetries: number;

  /** @throws TypeError when the address or the key cannot be used */
  constructor({ baseUrl, apiKey, fetch, timeoutMs, maxRetries }: CitewellOptions) {
    // `fetch` would name the whole key in its complaint.
    if (!/^[\x21-\x7e]+$/.test(apiKey))
      throw new TypeError('apiKey must be visible ASCII characters without spaces.');
    this.#baseUrl = normalizeBaseUrl(baseUrl);
    this.#authorization = `Bearer ${apiKey}`;
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#timeoutMs = timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#maxRetries = maxRetries ?? DEFAULT_MAX_RETRIES;
  }

  /** The time that one attempt of a request has. */
  timeoutMs(options: RequestOptions | undefined): number {
    return options?.timeoutMs ?? this.#timeoutMs;
  }

  async json<Value>(call: Call): Promise<Value> {
    const { value } = await this.jsonWithHeaders<Value>(call);
    return value;
  }

  /** A list; `call.query` holds its filters. */
  list<Item>(call: Omit<Call, 'method'>, { limit, cursor }: PageParameters = {}): Pages<Item> {
    const load = async (from: string | undefined): Promise<Page<Item>> => {
      const query = { ...call.query, limit, cursor: from };
      const { value, headers } = await this.jsonWithHeaders<Item[]>({ ...call, method: 'GET', query });
      return { items: value, nextCursor: nextCursor(headers.get('link')) };
    };
    return new Pages(load, cursor);
  }

  async jsonWithHeaders<Value>(call: Call): Promise<{ value: Value; headers: Headers }> {
    return this.attempt(call, async (request, deadline) => {
      try {
        const response = await this.send(request, deadline);
        return { value: parseJson<Value>(await response.text(), response), headers: response.headers };
      } catch (error) {
        throw deadline.explain(error);
      } finally {
        deadline.release();
      }
    });
  }

  /** An answer of which only the head is there yet. Only getting that far is repeated. */
  async open(call: Call): Promise<OpenResponse> {
    return this.attempt(call, async (request, deadline) => {
      try {
        const response = await this.send(request, deadline);
        deadline.stop();
        return {
          headers: response.headers,
          chunks: readChunks(response, deadline),
          close: () => deadline.release(),
        };
      } catch (error) {
        deadline.release();
        throw deadline.explain(error);
      }
    });
  }

  /** An answer that is a stream of server-sent events. */
  async events(call: Call): Promise<{ headers: Headers; events: AsyncIterable<ServerEvent> }> {
    const { headers, chunks, close } = await this.open({ ...call, accept: 'text/event-stream' });
    if (!/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) {
      close();
      throw new CitewellError('INVALID_RESPONSE', 'The answer is not a stream of events.', {
        requestId: headers.get('x-request-id'),
      });
    }
    return { headers, events: readEvents(chunks) };
  }

  private async attempt<Result>(
    call: Call,
    once: (request: PreparedRequest, deadline: Deadline) => Promise<Result>,
  ): Promise<Result> {
    const request = this.prepare(call);
    const { signal, idempotencyKey, maxRetries = this.#maxRetries } = call.options ?? {};
    const hasIdempotencyKey = idempotencyKey !== undefined;
    const repeatability = { isRepeatable: call.method === 'GET' || hasIdempotencyKey, hasIdempotencyKey };
    for (let failures = 0; ; failures += 1) {
      try {
        return await once(request, new Deadline(this.timeoutMs(call.options), signal));
      } catch (error) {
        const delayMs = failures < maxRetries ? retryDelayMs(error, repeatability, failures) : null;
        if (delayMs === null) throw error;
        await pause(delayMs, signal);
      }
    }
  }

  /** Settled before the first attempt, so that what the caller did wrong is not taken for the network's fault. */
  private prepare({ method, path, query, json, form, accept, options }: Call): PreparedRequest {
    const headers: Record<string, string> = {
      authorization: this.#authorization,
      accept: accept ?? 'application/json',
    };
    if (json !== undefined) headers['content-type'] = 'application/json';
    if (options?.idempotencyKey !== undefined) {
      if (!/^[\x21-\x7e]{1,255}$/.test(options.idempotencyKey))
        throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters.');
      headers['idempotency-key'] = options.idempotencyKey;
    }
    const body = form ?? (json === undefined ? null : JSON.stringify(json));
    return { url: `${this.#baseUrl}${withQuery(path, query)}`, init: { method, headers, body } };
  }

  private async send({ url, init }: PreparedRequest, { signal }: Deadline): Promise<Response> {
    const response = await this.#fetch(url, { ...init, signal });
    if (!response.ok) throw toCitewellError(response, await response.text());
    return response;
  }
}

function parseJson<Value>(text: string, { status, headers }: Response): Value {
  try {
    // The server checks what it sends against the schema that `Value` is held equal to.
    return JSON.parse(text) as Value;
  } catch (error) {
    throw new CitewellError(
      'INVALID_RESPONSE',
      'The answer is not JSON: is the address that of the service?',
      {
        status,
        requestId: headers.get('x-request-id'),
        cause: error,
      },
    );
  }
}

/** The time limit runs only while the server is waited for, not while the caller works on a piece. */
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
    throw deadline.explain(error);
  } finally {
    deadline.release();
  }
}
