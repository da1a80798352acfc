import { CitewellError } from '../citewell-error.js';

/** The longest delay that timers take; beyond it they fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * One attempt's limit of time, joined with the caller's signal. It runs from its making until {@link stop}, and
 * again from each {@link start}: a stream is limited between its pieces, not in its whole.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hasExpired = false;
  private readonly onAbort = (): void => this.controller.abort(this.outer?.reason);

  constructor(
    private readonly limitMs: number,
    private readonly outer: AbortSignal | undefined,
    private readonly sentence: string = `The server took longer than ${limitMs / 1_000} s.`,
  ) {
    outer?.throwIfAborted();
    outer?.addEventListener('abort', this.onAbort, { once: true });
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

  /** Ends the watch, and with it whatever still hangs on the signal. */
  release(): void {
    this.stop();
    this.outer?.removeEventListener('abort', this.onAbort);
    this.controller.abort();
  }

  /** What the caller sees of a failure under this limit: an abort throws the caller's own reason. */
  explain(error: unknown): unknown {
    if (this.outer?.aborted) return this.outer.reason;
    if (this.hasExpired) return new CitewellError('TIMEOUT', this.sentence, { cause: error });
    if (error instanceof CitewellError) return error;
    return new CitewellError('NETWORK', 'The server could not be reached, or the connection broke off.', {
      cause: error,
    });
  }
}
