import { RetryLaterError } from '@citewell/ingestion';

/** A host asks for a pause, or is too slow to wait for. No request was sent. */
export class HostBusyError extends RetryLaterError {
  constructor(
    readonly host: string,
    retryAfterMs: number,
  ) {
    super(`${host} is busy for another ${Math.round(retryAfterMs)} ms`, retryAfterMs);
    this.name = 'HostBusyError';
  }
}
