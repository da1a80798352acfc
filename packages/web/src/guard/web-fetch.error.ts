/**
 * The retry decision: `blocked` and `permanent` errors will occur again, `transient` ones may not, and after
 * `rate-limited` the caller should wait.
 */
export type WebFetchErrorKind = 'blocked' | 'permanent' | 'transient' | 'rate-limited';

/** Why a fetch failed. */
export type WebFetchErrorCode =
  /** Not a URL, not http or https, or with a user name. */
  | 'BAD_URL'
  /** A port of another service than the web. */
  | 'PORT_BLOCKED'
  /** A private, local or otherwise special address. */
  | 'ADDRESS_BLOCKED'
  | 'DNS_FAILED'
  | 'CONNECTION_FAILED'
  | 'TLS_FAILED'
  /** The proxy of the deployment does not respond or refuses the connection. */
  | 'PROXY_FAILED'
  | 'TIMEOUT'
  | 'TOO_MANY_REDIRECTS'
  /** A status other than 2xx and 304 for a conditional request, see `status`. */
  | 'HTTP_STATUS'
  | 'TOO_LARGE'
  /** The compression ratio of the body is implausible. */
  | 'DECOMPRESSION_BOMB'
  /** Invalid HTTP, or a compression that cannot be read. */
  | 'BAD_RESPONSE';

export interface WebFetchErrorDetails extends ErrorOptions {
  status?: number;
  /** The value of `Retry-After`. */
  retryAfterMs?: number;
  location?: string;
}

/** A failed fetch. `message` is for the log, `userMessage` for the person who gave the URL. */
export class WebFetchError extends Error {
  override readonly name = 'WebFetchError';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /**
   * The target of the last redirect: the one that failed, or for `TOO_MANY_REDIRECTS` the one that was not
   * followed. Absolute, if it is a URL. Undefined if the error occurred before any redirect.
   */
  location: string | undefined;

  constructor(
    readonly kind: WebFetchErrorKind,
    readonly code: WebFetchErrorCode,
    readonly userMessage: string,
    details: WebFetchErrorDetails = {},
  ) {
    super(`${code}: ${userMessage}`, 'cause' in details ? { cause: details.cause } : undefined);
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.location = details.location;
  }
}
