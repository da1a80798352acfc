import { setTimeout as sleep } from 'node:timers/promises';
import { CitewellError, RateLimitError } from '@citewell/sdk';

const DEFAULT_WAIT_SECONDS = 5;

/** Sends a request again when the service says that there were too many: then it has done nothing. */
export async function patiently<Result>(send: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof RateLimitError)) throw error;
      const seconds = error.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS;
      await sleep(seconds * 1_000, undefined, signal ? { signal } : {});
    }
  }
}

/** Whether an error is about the service or the key, so that every other request fails, too. */
export function isAboutService(error: unknown): boolean {
  return (
    error instanceof CitewellError &&
    (error.code === 'NETWORK' || error.code === 'TIMEOUT' || error.status === 401 || error.status === 403)
  );
}
