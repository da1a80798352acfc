/** What to do about it: wait (costs no attempt), back off and try again, or give up. */
export type ModelErrorKind = 'rate-limited' | 'transient' | 'permanent';

export interface ModelErrorDetails extends ErrorOptions {
  /** How long the provider asked us to wait. */
  retryAfterMs?: number;
}

/**
 * A call to a model that failed. Neither the message nor the cause holds a key, a prompt or a provider's own words,
 * which may repeat either: both may be logged and shown.
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

/** The facts of a provider's failure that are safe to keep. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';

  constructor(
    /** Class of the original error. */
    readonly errorName: string,
    readonly status: number | undefined,
    /** The provider's or the system's code, such as `insufficient_quota` or `ECONNREFUSED`. */
    readonly code: string | undefined,
    /** For the provider's support. */
    readonly requestId: string | undefined,
  ) {
    super([errorName, status, code].filter((part) => part !== undefined).join(' '));
  }
}
