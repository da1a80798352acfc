import type { IncomingHttpHeaders } from 'node:http';
import { assertOwnHost, isPublicOrigin, isSameHost, type Service } from './own-address.js';

/** Scripts of other sites cannot send this header without a CORS preflight, which never allows cookies. */
const CSRF_HEADER = 'citewell-csrf';
const NAME = 'citewell_session';
/** Sibling subdomains cannot set a cookie with this prefix, and it requires HTTPS: RFC 6265bis, section 4.1.3.2. */
const SECURE_NAME = `__Host-${NAME}`;
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
  const prefix = `${isSecure(service) ? SECURE_NAME : NAME}=`;
  const cookies = (headers.cookie ?? '').split(/;\s*/).filter((cookie) => cookie.startsWith(prefix));
  const token = cookies.length === 1 ? cookies[0]?.slice(prefix.length) : undefined;
  if (token === undefined || !TOKEN.test(token)) return null;
  // With PUBLIC_URL, a proxy may have replaced the host, and requests that read have no `Origin`. A session begins only on a
  // page of the service, and no other page has its cookie.
  if (service.PUBLIC_URL === undefined) assertOwnHost(headers, service);
  return token;
}

function isSecure({ PUBLIC_URL }: Pick<Service, 'PUBLIC_URL'>): boolean {
  return PUBLIC_URL?.startsWith('https:') ?? false;
}

/**
 * The `Set-Cookie` header of a session.
 *
 * @param token empty removes the cookie
 */
export function sessionCookie(token: string, maxAgeSeconds: number, service: Service): string {
  const [name, secure] = isSecure(service) ? [SECURE_NAME, '; Secure'] : [NAME, ''];
  return `${name}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
