import { normalizePercentEncoding } from './percent-encoding.js';
import { isVisitParameter, withoutPathSession } from './tracking-parameters.js';

const MAX_URL_LENGTH = 8192;

/**
 * The canonical spelling of a page's URL: two links with the same result lead to the same page.
 *
 * Scheme and host are in lower case and host names in punycode. The default port, the fragment, `.` and `..`
 * are removed, and escapes are written as by `normalizePercentEncoding`. Session and tracking parameters are
 * removed; the others keep their order. An ampersand of the query that was escaped twice, `&amp;`, is one. Differences that only the site can resolve (by a redirect,
 * `rel=canonical` or equal content) are kept: a trailing slash, `www.`, the case of the path, the order of
 * parameters. The host never changes, and normalizing twice changes nothing.
 *
 * @param base what a relative URL is relative to
 * @returns null for a URL that is not http or https, has a user name, or is longer than 8,192 characters
 */
export function normalizeUrl(raw: string | URL, base?: string | URL): string | null {
  const text = typeof raw === 'string' ? raw : raw.href;
  const url = text.length > MAX_URL_LENGTH ? null : URL.parse(text, base === undefined ? base : String(base));
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  // The setter parses the path again: a segment without its session may turn out to be `..`.
  url.pathname = withoutPathSession(normalizePercentEncoding(url.pathname));
  const query = normalizeQuery(url.search.slice(1));
  // The setter of `search` would keep the `?` of an empty query.
  const href = `${url.protocol}//${url.host}${url.pathname}${query && `?${query}`}`;
  return href.length > MAX_URL_LENGTH ? null : href;
}

function normalizeQuery(query: string): string {
  return normalizePercentEncoding(query.replace(/&(?:amp;)+/g, '&'))
    .split('&')
    .filter((parameter) => {
      const [name = '', ...value] = parameter.split('=');
      return parameter !== '' && !isVisitParameter(name, value.join('='));
    })
    .join('&');
}
