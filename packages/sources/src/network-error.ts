import { parseRetryAfter, permittedAddress, transportError, type WebFetchError } from '@citewell/web';
import { SourceError, type SourceErrorKind } from './source.js';

const KINDS: Readonly<Record<WebFetchError['kind'], SourceErrorKind>> = {
  blocked: 'denied',
  permanent: 'denied',
  transient: 'unavailable',
  'rate-limited': 'limited',
};

/** The error of a source for one of a connection: of a socket, TLS, or the guard of private networks. */
export function networkError(cause: unknown): SourceError {
  if (cause instanceof SourceError) return cause;
  const { kind, userMessage, retryAfterMs } = transportError(cause);
  return new SourceError(KINDS[kind], userMessage, {
    cause,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** A longer wait is taken for a mistake of the service. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60_000;

/** How long a response asks to wait, as an option of an error. Empty if it does not tell. */
export function retryAfterOf(headers: Headers): { retryAfterMs?: number } {
  const asked = parseRetryAfter(headers.get('retry-after') ?? undefined, Date.now());
  return asked === undefined ? {} : { retryAfterMs: Math.min(asked, MAX_RETRY_AFTER_MS) };
}

/** Whether a host is in the Internet: it may be connected to without an allowed network. */
export function isPublic(host: string): Promise<boolean> {
  return permittedAddress(host, []).then(
    () => true,
    () => false,
  );
}
