import { setTimeout as sleep } from 'node:timers/promises';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { SpaceNotFoundError, VectorStoreError, VectorStoreUnavailableError } from '../vector-store.errors.js';
import type { QdrantNodes } from './qdrant-nodes.js';

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
