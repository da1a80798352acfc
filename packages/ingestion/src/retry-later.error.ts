/**
 * A stage cannot run now, for a reason outside the run, such as a busy host. The run is released and
 * delivered again later. That counts neither as a failure nor as a success.
 */
export class RetryLaterError extends Error {
  /** @param retryAfterMs milliseconds until the run may be delivered again */
  constructor(
    message: string,
    readonly retryAfterMs: number,
  ) {
    super(message);
    this.name = 'RetryLaterError';
  }
}
