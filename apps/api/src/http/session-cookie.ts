import type { IncomingHttpHeaders } from 'node:http';

/** Scripts of other sites cannot send this header without a CORS preflight, which never allows cookies. */
const CSRF_HEADER = 'citewell-csrf';
const NAME = 'citewell_session';
const TOKENS = new RegExp(`(?<=^|;\\s*)${NAME}=([\\w-]{20,128})(?=;|$)`, 'g');

/**
 * The session token of a request, if the request comes from a page of the same origin. A cookie counts only with the
 * header `Citewell-Csrf`, and when neither `Sec-Fetch-Site` nor `Origin` names another origin. Two cookies do not count:
 * all ports of a host share its cookies, so one of them may come from a page of another service.
 */
export function sessionTokenOf(headers: IncomingHttpHeaders): string | null {
  const site = headers['sec-fetch-site'];
  if (headers[CSRF_HEADER] === undefined || (site !== undefined && site !== 'same-origin')) return null;
  if (headers.origin !== undefined && hostOf(headers.origin) !== headers.host) return null;
  const tokens = [...(headers.cookie ?? '').matchAll(TOKENS)];
  return tokens.length === 1 ? (tokens[0]?.[1] ?? null) : null;
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

/**
 * The `Set-Cookie` header of a session.
 *
 * @param token empty removes the cookie
 * @param isSecure the service is reached by HTTPS
 */
export function sessionCookie(token: string, maxAgeSeconds: number, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : '';
  return `${NAME}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
