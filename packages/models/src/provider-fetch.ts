import { type Fetch, remoteFetch } from '@citewell/web/remote-fetch';
import { tooLong } from './provider-errors.js';

const MEGABYTE = 1024 * 1024;
/** The clients need seconds for longer lines, and block the process meanwhile. */
const MAX_LINE_BYTES = MEGABYTE;
/** The body of an error is parsed several times. Those of providers are below 10 kB. */
const MAX_ERROR_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

export interface ProviderFetchOptions {
  /** Aborts the request and the reading of its response. */
  signal: AbortSignal;
  /** Maximum size of a response that the client reads into memory. `'stream'`: only the length of lines is limited. */
  maxBytes: number | 'stream';
  /** Is called whenever bytes of the response arrive. */
  onBytes?: () => void;
  /** Receives an error response, which its client may not read completely. */
  onError?: (response: ErrorResponse) => void;
  /** Makes the requests. Default: `remoteFetch`. */
  fetcher?: Fetch | undefined;
}

export interface ErrorResponse {
  status: number;
  headers: Headers;
  body: string;
}

/**
 * The `fetch` for the clients of the providers. Reading a response that is too long fails with a `ModelError`. The body of
 * an error is read here, as far as it arrives: its status says what has failed, and some clients end the process or print
 * to the console if they cannot read it.
 */
export function providerFetch(options: ProviderFetchOptions): Fetch {
  const { signal, maxBytes, onBytes, onError, fetcher = remoteFetch } = options;
  return async (url, init) => {
    const own = init?.signal ?? null;
    const response = await fetcher(url, {
      ...init,
      signal: own ? AbortSignal.any([signal, own]) : signal,
    });
    if (!response.body) return response;
    if (!response.ok) {
      const body = await readStart(response.body);
      onError?.({ status: response.status, headers: new Headers([...response.headers]), body });
      return withErrorBody(response, body);
    }
    const limited = response.body.pipeThrough(
      maxBytes === 'stream' ? limitedLines(onBytes) : limitedBytes(maxBytes),
    );
    return new Response(limited, response);
  };
}

/** @returns at most `MAX_ERROR_BYTES`, and less if the connection fails */
async function readStart(body: ReadableStream<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      length += piece.length;
      if (length >= MAX_ERROR_BYTES) break;
    }
  } catch {
    // What has arrived is enough.
  }
  return new TextDecoder().decode(Buffer.concat(pieces, Math.min(length, MAX_ERROR_BYTES)));
}

function withErrorBody({ status, statusText, headers: received }: Response, body: string): Response {
  const headers = new Headers(received);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  headers.set('content-type', 'application/json');
  return new Response(isJson(body) ? body : '{}', { status, statusText, headers });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function limitedBytes(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(bytes, controller) {
      length += bytes.length;
      if (length > maxBytes) throw tooLong();
      controller.enqueue(bytes);
    },
  });
}

function limitedLines(onBytes?: () => void): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(bytes, controller) {
      onBytes?.();
      const newline = bytes.lastIndexOf(NEWLINE);
      length = newline < 0 ? length + bytes.length : bytes.length - newline - 1;
      if (length > MAX_LINE_BYTES) throw tooLong();
      controller.enqueue(bytes);
    },
  });
}
