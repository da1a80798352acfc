import { setTimeout as sleep } from 'node:timers/promises';
import { QdrantClient } from '@qdrant/js-client-rest';
import { SpaceNotFoundError, VectorStoreError, VectorStoreUnavailableError } from '../vector-store.errors.js';

const FIRST_DELAY_MS = 50;
const LAST_DELAY_MS = 1000;

/**
 * Calls a node, and retries transient failures at the next one, with exponential backoff and jitter. All calls are
 * idempotent, so an interrupted one can be repeated.
 *
 * @param budgetMs a retry may start within this time after the start of the first attempt; later, only at a node that was
 * not tried
 * @throws VectorStoreUnavailableError, VectorStoreError
 */
export async function callQdrant<T>(
  nodes: QdrantNodes,
  budgetMs: number,
  call: (client: QdrantClient) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + budgetMs;
  for (let attempt = 1; ; attempt++) {
    const client = nodes.current;
    try {
      return await call(client);
    } catch (cause) {
      const error = toVectorStoreError(cause);
      if (error instanceof VectorStoreError) throw error;
      nodes.leave(client);
      if (attempt < nodes.size) continue;
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (attempt - nodes.size), LAST_DELAY_MS);
      const pauseMs = delayMs * (0.5 + Math.random() / 2);
      if (performance.now() + pauseMs > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}

/** HTTP status of an error of the client; `undefined` if there was no response. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('status' in error && typeof error.status === 'number') return error.status;
  return statusOf(error.cause);
}

function toVectorStoreError(cause: unknown): Error {
  const status = statusOf(cause);
  const message = `Qdrant: ${describeError(cause)}`;
  // 408 Request Timeout and 429 Too Many Requests are the transient client errors.
  const transient =
    status === undefined ? isConnectionFailure(cause) : status >= 500 || status === 408 || status === 429;
  if (transient) return new VectorStoreUnavailableError(message, { cause });
  return status === 404
    ? new SpaceNotFoundError(message, { cause })
    : new VectorStoreError(message, { cause });
}

/**
 * Whether an error without an HTTP status is a network failure, a timeout or a truncated response.
 * `fetch` reports network failures as a TypeError whose cause is the error of the socket or the HTTP parser.
 * A TypeError for an invalid URL also has a cause; one thrown by a bug has none.
 */
function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'QdrantClientTimeoutError' || error.name === 'QdrantClientResourceExhaustedError')
    return true;
  if (error.name === 'AbortError' || error instanceof SyntaxError) return true;
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return false;
  return !('code' in error.cause && error.cause.code === 'ERR_INVALID_URL');
}

/** The error message of the server if it sent one, else that of the client. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const data: unknown = 'data' in error ? error.data : undefined;
  const status: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'status') : undefined;
  const message: unknown =
    typeof status === 'object' && status !== null ? Reflect.get(status, 'error') : undefined;
  if (typeof message === 'string') return message;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

const DEFAULT_QDRANT_PORT = 6333;

/** The nodes of a cluster. All requests go to one node, until a request to it fails: then to the next one. */
export class QdrantNodes {
  private readonly clients: readonly QdrantClient[];
  private index: number;

  /**
   * @param urls of nodes of one cluster, or of a balancer; at least one
   * @param start index of the first node. Default random, so that processes spread over the nodes.
   */
  constructor(
    urls: readonly string[],
    apiKey: string | undefined,
    timeoutMs: number,
    start = Math.floor(Math.random() * urls.length),
  ) {
    this.clients = urls.map((url) => connectQdrant(url, apiKey, timeoutMs));
    this.index = start;
  }

  get size(): number {
    return this.clients.length;
  }

  get current(): QdrantClient {
    const client = this.clients[this.index];
    if (client === undefined) throw new RangeError('a cluster has at least one node');
    return client;
  }

  /** Chooses the next node, unless a concurrent request has already done so. */
  leave(failed: QdrantClient): void {
    if (failed === this.current) this.index = (this.index + 1) % this.size;
  }
}

/** Creates a client. The comments below explain each deviation from the client's defaults. */
function connectQdrant(url: string, apiKey: string | undefined, timeoutMs: number): QdrantClient {
  const { protocol, hostname, pathname, port } = new URL(url);
  // `URL` drops the default port of its protocol: the client would use 6333 for an explicit ":443".
  const explicitPort = /^https?:\/\/[^/]*:(\d+)(\/|$)/.exec(url)?.[1];
  return new QdrantClient({
    host: hostname,
    https: protocol === 'https:',
    port: Number(port || explicitPort || DEFAULT_QDRANT_PORT),
    ...(pathname !== '/' && { prefix: pathname.replace(/\/$/, '') }),
    timeout: timeoutMs,
    // The check requests the version in the background and logs to the console.
    checkCompatibility: false,
    headers: {
      // Compressed responses arrive in two TCP segments: each query would wait 40 ms for a delayed ACK.
      'accept-encoding': 'identity',
      // Passed as a header, because the client logs a warning if its `apiKey` option is used without TLS.
      'api-key': apiKey,
    },
  });
}
