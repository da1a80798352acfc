/** The retry decision: wait without using up an attempt, back off and retry, or give up. */
export type ModelErrorKind = 'rate-limited' | 'transient' | 'permanent';

/** What the operator has to check. */
export type ModelErrorReason =
  | 'key'
  | 'quota'
  | 'rate-limit'
  | 'content-filter'
  | 'too-long'
  | 'not-found'
  | 'refused'
  | 'unavailable'
  /** A response that does not answer the request. */
  | 'malformed';

/** A part of a request that some servers refuse. `system`: messages of the role system. */
export type ModelSetting =
  | 'stream_options'
  | 'system'
  | 'tools'
  | 'max_tokens'
  | 'max_completion_tokens'
  | 'temperature'
  | 'top_p'
  | 'presence_penalty'
  | 'frequency_penalty';

export interface ModelErrorDetails extends ErrorOptions {
  /** Delay before the next request, if the provider specified one. */
  retryAfterMs?: number;
  reason?: ModelErrorReason;
  /** The provider's own sentence, without keys and without text of the prompt. For the operator. */
  providerSentence?: string;
  /** The settings that the provider refused, or may have refused. Empty: none. */
  refusedSettings?: readonly ModelSetting[];
}

/**
 * A failed call to a model. The message and the cause contain no key, no prompt, and no text from the provider. The
 * sentence of the provider is a field of its own, for logs and for the operator.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly retryAfterMs: number | undefined;
  readonly reason: ModelErrorReason | undefined;
  readonly providerSentence: string | undefined;
  readonly refusedSettings: readonly ModelSetting[] | undefined;

  constructor(
    readonly kind: ModelErrorKind,
    message: string,
    details: ModelErrorDetails = {},
  ) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.retryAfterMs = details.retryAfterMs;
    this.reason = details.reason;
    this.providerSentence = details.providerSentence;
    this.refusedSettings = details.refusedSettings;
  }
}

/** What has failed, with the provider's own words. */
export function sentenceForOperator({ message, providerSentence }: ModelError): string {
  return providerSentence === undefined ? message : `${message} The provider says: ${providerSentence}`;
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

/** A failed call to a model that belongs to the organization that asks. Its administrators can help, the operator cannot. */
export class OwnModelError extends ModelError {
  constructor(error: ModelError) {
    const { kind, message, retryAfterMs, reason, providerSentence, refusedSettings } = error;
    super(kind, message, {
      cause: error.cause,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(reason === undefined ? {} : { reason }),
      ...(providerSentence === undefined ? {} : { providerSentence }),
      ...(refusedSettings === undefined ? {} : { refusedSettings }),
    });
  }
}
