const TIMEOUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
/** Of OpenSSL: what the server sends is not TLS. */
const NO_TLS_CODE = 'ERR_SSL_WRONG_VERSION_NUMBER';
/** Codes of OpenSSL and Node for invalid certificates and failed handshakes. */
const TLS_CODE = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/;
/**
 * Codes of undici for a proxy that fails. A tunnel that the proxy refuses has the code of an aborted request.
 * Requests that a caller aborts do not get here.
 */
const PROXY_CODES = new Set(['UND_ERR_PRX_CONN', 'UND_ERR_PRX_TLS', 'UND_ERR_ABORTED']);
const BAD_RESPONSE_CODE = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH)/;
/**
 * Statuses below 500 after which a retry may succeed: Request Timeout, Too Early, and Precondition Failed,
 * which some servers send for a changed page in response to a conditional request.
 */
const TRANSIENT_STATUSES = new Set([408, 412, 425]);

/** The error for a response with a status other than 2xx. */
export function statusError(status: number, retryAfter: string | undefined): WebFetchError {
  const retryAfterMs = parseRetryAfter(retryAfter, Date.now());
  return new WebFetchError(kindOfStatus(status), 'HTTP_STATUS', sentenceForStatus(status), {
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function kindOfStatus(status: number): WebFetchErrorKind {
  if (status === 429) return 'rate-limited';
  return status >= 500 || TRANSIENT_STATUSES.has(status) ? 'transient' : 'permanent';
}

function sentenceForStatus(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return `The server does not let us read this page (status ${status}).`;
    case 404:
    case 410:
      return `There is no such page (status ${status}).`;
    case 429:
      return 'The server asks us to come back later (status 429).';
    default:
      return `The server answered with status ${status}.`;
  }
}

/** The error for anything that undici, a socket or the guard throws. */
export function transportError(error: unknown): WebFetchError {
  const guarded = findGuardError(error);
  if (guarded) return guarded;
  const code = codeOf(error);
  if (TIMEOUT_CODES.has(code)) return timeoutError(error);
  if (TLS_CODE.test(code)) {
    const sentence =
      code === NO_TLS_CODE
        ? 'The server does not offer an encrypted connection at this port.'
        : 'The server has no valid certificate, so a secure connection is not possible.';
    return new WebFetchError('permanent', 'TLS_FAILED', sentence, { cause: error });
  }
  if (BAD_RESPONSE_CODE.test(code)) {
    const sentence = 'The server sent an invalid HTTP response.';
    return new WebFetchError('permanent', 'BAD_RESPONSE', sentence, { cause: error });
  }
  if (PROXY_CODES.has(code)) return proxyError(error);
  const sentence = 'The connection to the server failed.';
  return new WebFetchError('transient', 'CONNECTION_FAILED', sentence, { cause: error });
}

/** The error for a proxy of the deployment that does not respond or refuses the connection. */
export function proxyError(cause: unknown): WebFetchError {
  return new WebFetchError('transient', 'PROXY_FAILED', 'The proxy did not connect to the server.', {
    cause,
  });
}

/** The error for a fetch that took too long. */
export function timeoutError(cause?: unknown): WebFetchError {
  return new WebFetchError('transient', 'TIMEOUT', 'The server took too long to answer.', { cause });
}

/** If a host has several addresses, the error of the guard is inside an AggregateError. */
function findGuardError(error: unknown): WebFetchError | null {
  if (error instanceof WebFetchError) return error;
  if (error instanceof AggregateError) {
    return error.errors.find((inner) => inner instanceof WebFetchError) ?? null;
  }
  return error instanceof Error && error.cause !== undefined ? findGuardError(error.cause) : null;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause === undefined ? '' : codeOf(error.cause);
}

/**
 * Parses a `Retry-After` header: seconds or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @param nowMs milliseconds since the epoch
 * @returns milliseconds to wait, never negative; undefined if the header is absent or invalid
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Every HTTP date has letters. `Date.parse` would also accept `-5`.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

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
  /** Outside of what `OFFLINE` allows. */
  | 'OFFLINE'
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

interface WebFetchErrorDetails extends ErrorOptions {
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
