import { hostname } from 'node:os';
import { isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '@citewell/config';
import { ApiError } from './api-error.js';

/** What decides which addresses are the service's own. */
export type Service = Pick<Config, 'PUBLIC_URL' | 'BASE_PATH' | 'HOST'>;

/** Of a `Host` header, which has neither a path nor a user name. */
const HOST_HEADER = /^[\w.\-:[\]]{1,255}$/;

/**
 * Whether a `Host` header is an address of this service: an IP address, a name of the loopback interface or of this machine,
 * or a configured name. Everybody can make a name of their own lead to this server (DNS rebinding). Their pages then have the
 * same origin as the service, but never an IP address in this header.
 */
export function isOwnHost(host: string | undefined, { PUBLIC_URL, HOST }: Service): boolean {
  const name = host === undefined ? null : nameOf(host);
  if (name === null) return false;
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0 || name === 'localhost' || name.endsWith('.localhost'))
    return true;
  const configured = [HOST, PUBLIC_URL && new URL(PUBLIC_URL).hostname, hostname(), `${hostname()}.local`];
  return configured.some((own) => own?.toLowerCase() === name);
}

/** Whether a page of this origin is on the host that its request names. Only the protocol may differ, behind a proxy. */
export function isSameHost(origin: string, host: string | undefined): boolean {
  const page = URL.parse(origin);
  if (page === null || page.host === '' || host === undefined || !HOST_HEADER.test(host)) return false;
  return URL.parse(`${page.protocol}//${host}`)?.host === page.host;
}

/** Whether a page is on the configured address. Behind a proxy that replaces the `Host` header, nothing else tells. */
export function isPublicOrigin(origin: string | undefined, { PUBLIC_URL }: Service): boolean {
  return PUBLIC_URL !== undefined && origin === new URL(PUBLIC_URL).origin;
}

/** @throws {@link ApiError} `FORBIDDEN`, with what to do, for a browser that opens the service under an unknown name */
export function assertOwnHost({ host, origin }: IncomingHttpHeaders, service: Service): void {
  if (isOwnHost(host, service) || isPublicOrigin(origin, service)) return;
  const name = (host ?? '').slice(0, 100);
  throw new ApiError(
    'FORBIDDEN',
    `The server does not know the name ${name}, and another site could make such a name lead here. Open the server by its IP address, or set PUBLIC_URL on the server to the address that you open, such as http://${name}.`,
  );
}

/** What says under which address a request has come. A trusted proxy names protocol and host in headers of its own. */
export interface AddressedRequest {
  protocol: string;
  host: string;
  headers: IncomingHttpHeaders;
}

/**
 * The address under which a browser reaches the service, without `/api`: the configured one, or that of the request. Both the
 * `Host` header and the host that a proxy names have to be addresses of the service.
 *
 * @throws {@link ApiError} `FORBIDDEN` for a browser that opens the service under an unknown name
 */
export function ownAddress(request: AddressedRequest, service: Service): string {
  if (service.PUBLIC_URL !== undefined) return service.PUBLIC_URL;
  assertOwnHost(request.headers, service);
  assertOwnHost({ host: request.host }, service);
  return originOf(request) + service.BASE_PATH;
}

/**
 * As {@link ownAddress}, for programs, which may reach the service under a name that it does not know: then only the
 * base path, so that addresses in responses begin with a slash.
 */
export function shownAddress(request: AddressedRequest, service: Service): string {
  if (service.PUBLIC_URL !== undefined) return service.PUBLIC_URL;
  return (isOwnHost(request.host, service) ? originOf(request) : '') + service.BASE_PATH;
}

/** @param request whose host is an address of the service */
function originOf({ protocol, host }: AddressedRequest): string {
  return new URL(`${protocol === 'https' ? 'https' : 'http'}://${host}`).origin;
}

/** In lower case, without port and final full stop; null for what is no host. */
function nameOf(host: string): string | null {
  if (!HOST_HEADER.test(host)) return null;
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? null;
}
