/**
 * A stage cannot be worked on now, and the run is not to blame: it is handed back as it is, which is neither a failure
 * nor a success, and comes again.
 */
export class NotNowError extends Error {
  /** @param retryAfterMs how long it is left alone */
  constructor(
    message: string,
    readonly retryAfterMs: number,
  ) {
    super(message);
    this.name = 'NotNowError';
  }
}
