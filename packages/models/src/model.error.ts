/** The retry decision: wait without using up an attempt, back off and retry, or give up. */
export type ModelErrorKind = 'rate-limited' | 'transient' | 'permanent';

export interface ModelErrorDetails extends ErrorOptions {
  /** Delay before the next request, if the provider specified one. */
  retryAfterMs?: number;
}

/**
 * A failed call to a model. The message and the cause can be logged and shown: they contain no key, no
 * prompt, and no text from the provider, which may repeat them.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly kind: ModelErrorKind,
    message: string,
    details: ModelErrorDetails = {},
  ) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** The properties of a provider's error that are safe to log. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';

  constructor(
    /** Name of the original error. */
    readonly errorName: string,
    /** HTTP status. */
    readonly status: number | undefined,
    /** Code of the provider or of the system, such as `insufficient_quota` or `ECONNREFUSED`. */
    readonly code: string | undefined,
    /** Identifies the request to the provider's support. */
    readonly requestId: string | undefined,
  ) {
    super([errorName, status, code].filter((part) => part !== undefined).join(' '));
  }
}
