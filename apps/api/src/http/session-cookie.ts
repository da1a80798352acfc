import type { IncomingHttpHeaders } from 'node:http';
import { assertOwnHost, isPublicOrigin, isSameHost, type Service } from './own-address.js';

type CookieService = Pick<Service, 'PUBLIC_URL' | 'BASE_PATH'>;

/** Scripts of other sites cannot send this header without a CORS preflight, which never allows cookies. */
const CSRF_HEADER = 'citewell-csrf';
const NAME = 'citewell_session';
const TOKEN = /^[\w-]{20,128}$/;

/**
 * The session token of a request, if the request comes from a page of the same origin. A cookie counts only with the
 * header `Citewell-Csrf`, and when neither `Sec-Fetch-Site` nor `Origin` names another origin. Two cookies do not count:
 * all ports of a host share its cookies, so one of them may come from a page of another service.
 *
 * @throws ApiError `FORBIDDEN` if the request names a host that is not the service's own, unless there is a `PUBLIC_URL`
 */
export function sessionTokenOf(headers: IncomingHttpHeaders, service: Service): string | null {
  const site = headers['sec-fetch-site'];
  if (headers[CSRF_HEADER] === undefined || (site !== undefined && site !== 'same-origin')) return null;
  // A proxy may replace the `Host` header. Then the page is known by `PUBLIC_URL`.
  const { origin, host } = headers;
  if (origin !== undefined && !isSameHost(origin, host) && !isPublicOrigin(origin, service)) return null;
  const token = sessionCookieOf(headers, service);
  if (token === null) return null;
  // With PUBLIC_URL, a proxy may have replaced the host, and requests that read have no `Origin`. A session begins only on a
  // page of the service, and no other page has its cookie.
  if (service.PUBLIC_URL === undefined) assertOwnHost(headers, service);
  return token;
}

/** The session token in the cookie, whichever page the request comes from. It identifies nobody: see {@link sessionTokenOf}. */
export function sessionCookieOf(headers: IncomingHttpHeaders, service: Service): string | null {
  return onlyCookie(headers, cookieNameOf(NAME, service));
}

/** The value of a cookie that the request has once. */
export function onlyCookie({ cookie = '' }: IncomingHttpHeaders, name: string): string | null {
  const values = cookie.split(/;\s*/).filter((pair) => pair.startsWith(`${name}=`));
  const value = values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
  return value !== undefined && TOKEN.test(value) ? value : null;
}

/** Whether browsers open the service with HTTPS. */
function isSecure({ PUBLIC_URL }: Pick<Service, 'PUBLIC_URL'>): boolean {
  return PUBLIC_URL?.startsWith('https:') ?? false;
}

/**
 * The name of a cookie of this service. Sibling subdomains cannot set a cookie with the prefix `__Host-`, and it requires HTTPS
 * and the path `/`: RFC 6265bis, section 4.1.3.2. With a base path, other services of the host should not receive the cookie, and
 * its name tells services below different paths apart.
 */
export function cookieNameOf(name: string, service: CookieService): string {
  if (service.BASE_PATH === '') return isSecure(service) ? `__Host-${name}` : name;
  return `${isSecure(service) ? '__Secure-' : ''}${name}${service.BASE_PATH.replaceAll('/', '.')}`;
}

interface CookieOptions {
  maxAgeSeconds: number;
  sameSite: 'Strict' | 'Lax';
}

/**
 * The `Set-Cookie` header of a cookie that scripts cannot read.
 *
 * @param value empty removes the cookie
 */
export function setCookie(
  name: string,
  value: string,
  { maxAgeSeconds, sameSite }: CookieOptions,
  service: CookieService,
): string {
  const secure = isSecure(service) ? '; Secure' : '';
  const path = service.BASE_PATH || '/';
  return `${cookieNameOf(name, service)}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** The `Set-Cookie` header of a session. @param token empty removes the cookie */
export function sessionCookie(token: string, maxAgeSeconds: number, service: CookieService): string {
  return setCookie(NAME, token, { maxAgeSeconds, sameSite: 'Strict' }, service);
}
