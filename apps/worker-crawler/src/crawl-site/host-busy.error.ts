import { RetryLaterError } from '@citewell/ingestion';

/** A host wants to be left alone for longer than it pays to wait for. Nothing was asked of it, so it is no failure. */
export class HostBusyError extends RetryLaterError {
  /** @param retryAfterMs how long it wants to be left alone, as far as is known */
  constructor(
    readonly host: string,
    retryAfterMs: number,
  ) {
    super(`${host} wants to be left alone for ${Math.round(retryAfterMs)} ms`, retryAfterMs);
    this.name = 'HostBusyError';
  }
}
