/**
 * What to do about a failed fetch: `blocked` and `permanent` will fail again, `transient` is worth another try,
 * `rate-limited` is a request to wait.
 */
export type WebFetchErrorKind = 'blocked' | 'permanent' | 'transient' | 'rate-limited';

/** Why a fetch failed. */
export type WebFetchErrorCode =
  /** Not a URL, not http or https, or one that carries a user name. */
  | 'BAD_URL'
  /** A port on which no web server is expected. */
  | 'PORT_BLOCKED'
  /** A private, local or otherwise special address. */
  | 'ADDRESS_BLOCKED'
  | 'DNS_FAILED'
  | 'CONNECTION_FAILED'
  | 'TLS_FAILED'
  /** The proxy of the deployment does not answer, or refuses the connection. */
  | 'PROXY_FAILED'
  | 'TIMEOUT'
  | 'TOO_MANY_REDIRECTS'
  /** A status other than 2xx, or 304 to a conditional request; `status` says which. */
  | 'HTTP_STATUS'
  | 'TOO_LARGE'
  /** The body inflates beyond every plausible ratio. */
  | 'DECOMPRESSION_BOMB'
  /** What came back is no valid HTTP, or is compressed in a way that cannot be read. */
  | 'BAD_RESPONSE';

export interface WebFetchErrorDetails extends ErrorOptions {
  status?: number;
  /** How long the server asked us to wait. */
  retryAfterMs?: number;
  location?: string;
}

/** A failed fetch. `message` is for the log, `userMessage` for the person who gave the URL. */
export class WebFetchError extends Error {
  override readonly name = 'WebFetchError';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /**
   * Where the redirect leads after which this happened, or, of `TOO_MANY_REDIRECTS`, that was not followed: absolute, if
   * it is an address at all.
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
