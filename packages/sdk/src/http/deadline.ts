import { CitewellError, errorOf } from '../citewell-error.js';

/** The maximum delay of `setTimeout`. A longer delay fires immediately. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * The timeout of one attempt, combined with the signal of the caller. The timer
 * runs from construction until {@link stop}, and again from each {@link start}:
 * a stream has a timeout between its chunks, not for its whole length.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hasExpired = false;
  private readonly onAbort = (): void => this.controller.abort(this.callerSignal?.reason);

  constructor(
    private readonly limitMs: number,
    private readonly callerSignal: AbortSignal | undefined,
    private readonly messages: { timeout: string; network: string },
  ) {
    callerSignal?.throwIfAborted();
    callerSignal?.addEventListener('abort', this.onAbort, { once: true });
    this.start();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  start(): void {
    this.stop();
    this.timer = setTimeout(
      () => {
        this.hasExpired = true;
        this.controller.abort();
      },
      Math.min(this.limitMs, MAX_DELAY_MS),
    );
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** Stops the timer and aborts every operation that still uses the signal. */
  release(): void {
    this.stop();
    this.callerSignal?.removeEventListener('abort', this.onAbort);
    this.controller.abort();
  }

  /**
   * Converts an error to the error for the caller. For an abort this is the reason of the caller's signal.
   */
  toCallerError(error: unknown): unknown {
    if (this.callerSignal?.aborted) return this.callerSignal.reason;
    if (this.hasExpired) return errorOf('TIMEOUT', this.messages.timeout, { cause: error });
    if (error instanceof CitewellError) return error;
    return errorOf('NETWORK', this.messages.network, { cause: error });
  }
}

/** Waits. @throws the reason of the signal when it is aborted */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
    return undefined;
  });
}
