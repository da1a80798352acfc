import { permittedAddress, transportError, type WebFetchError } from '@citewell/web';
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

/** Whether a host is in the Internet: it may be connected to without an allowed network. */
export function isPublic(host: string): Promise<boolean> {
  return permittedAddress(host, []).then(
    () => true,
    () => false,
  );
}
