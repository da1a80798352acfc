import { normalizePercentEncoding } from './percent-encoding.js';
import { isVisitParameter, withoutPathSession } from './tracking-parameters.js';

const MAX_URL_LENGTH = 8192;

/**
 * The one spelling under which a page is known: two links with the same result lead to the same page.
 *
 * Scheme and host in lower case, names in punycode, no default port, no fragment, no `.` and `..`, escapes as in
 * `normalizePercentEncoding`; session and tracking parameters are gone, the others keep their order. What only the
 * site can know, by a redirect, `rel=canonical` or equal content, is left alone: a trailing slash, `www.`, the case of
 * the path, the order of parameters. The host never changes, and normalising twice changes nothing.
 *
 * @param base what a relative URL is relative to
 * @returns null for what is no http or https address, has a user name in it, or is longer than 8,192 characters
 */
export function normalizeUrl(raw: string | URL, base?: string | URL): string | null {
  const text = typeof raw === 'string' ? raw : raw.href;
  const url = text.length > MAX_URL_LENGTH ? null : URL.parse(text, base === undefined ? base : String(base));
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  // Assigned, because a segment that loses its session may turn out to be `..`.
  url.pathname = withoutPathSession(normalizePercentEncoding(url.pathname));
  const query = normalizeQuery(url.search.slice(1));
  // Joined by hand: the setter of `search` leaves the `?` of an empty query where it is.
  const href = `${url.protocol}//${url.host}${url.pathname}${query && `?${query}`}`;
  return href.length > MAX_URL_LENGTH ? null : href;
}

function normalizeQuery(query: string): string {
  return normalizePercentEncoding(query)
    .split('&')
    .filter((parameter) => parameter !== '' && !isVisit(parameter))
    .join('&');
}

function isVisit(parameter: string): boolean {
  const [name = '', ...value] = parameter.split('=');
  return isVisitParameter(name, value.join('='));
}
