import { setTimeout as sleep } from 'node:timers/promises';
import { VectorStoreError, VectorStoreUnavailableError } from '../vector-store.errors.js';

const FIRST_DELAY_MS = 50;
const LAST_DELAY_MS = 1000;

/**
 * Calls the server, again after a transient failure, with doubling and jittered pauses, until the budget is spent. All
 * our calls are idempotent, so one that was cut off may be repeated.
 * @param budgetMs time after the first attempt's start within which another may start
 * @throws VectorStoreUnavailableError, VectorStoreError
 */
export async function callQdrant<T>(budgetMs: number, call: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + budgetMs;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, LAST_DELAY_MS)) {
    try {
      return await call();
    } catch (cause) {
      const error = toVectorStoreError(cause);
      const pauseMs = delayMs * (0.5 + Math.random() / 2);
      if (error instanceof VectorStoreError || performance.now() + pauseMs > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}

/** HTTP status of a failure of the client; `undefined` when there was no answer. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('status' in error && typeof error.status === 'number') return error.status;
  return statusOf(error.cause);
}

function toVectorStoreError(cause: unknown): Error {
  const status = statusOf(cause);
  const message = `Qdrant: ${describe(cause)}`;
  // No status: refused, reset, timed out, or not HTTP at all. 408 and 429 ask to come again.
  const transient =
    status === undefined ? isFailureToReach(cause) : status >= 500 || status === 408 || status === 429;
  return transient
    ? new VectorStoreUnavailableError(message, { cause })
    : new VectorStoreError(message, { cause });
}

/** `fetch` rejects with a TypeError whose cause is the socket's error; the client has classes for time-outs and 429. */
function isFailureToReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'QdrantClientTimeoutError' || error.name === 'QdrantClientResourceExhaustedError')
    return true;
  if (error.name === 'AbortError' || error instanceof SyntaxError) return true;
  return error instanceof TypeError && (error.message === 'fetch failed' || error.message === 'terminated');
}

/** The server's own sentence where it sent one. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const data: unknown = 'data' in error ? error.data : undefined;
  const status: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'status') : undefined;
  const sentence: unknown =
    typeof status === 'object' && status !== null ? Reflect.get(status, 'error') : undefined;
  if (typeof sentence === 'string') return sentence;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
