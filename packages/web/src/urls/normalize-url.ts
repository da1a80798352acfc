const wordSet = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

/**
 * Parameters that record where a visitor came from, in lower case. Source: the documentation of the services
 * that add them. One line each for search engines, social networks, newsletters, and analytics.
 */
const TRACKING_PARAMETERS = wordSet(`
  gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl _gac
  fbclid msclkid yclid ysclid twclid ttclid rdt_cid igsh igshid li_fat_id epik irclickid rb_clickid s_kwcid wickedid
  mc_cid mc_eid mkt_tok oly_anon_id oly_enc_id vero_id vero_conv ml_subscriber ml_subscriber_hash _ke _kx
  _hsenc _hsmi __hssc __hstc __hsfp hsctatracking _openstat`);

const TRACKING_PREFIX = /^(utm_|mtm_|matomo_|pk_|piwik_|hsa_)/;

/** Parameters that carry a session, whatever their value. */
const SESSION_PARAMETERS = wordSet(`
  phpsessid jsessionid asp.net_sessionid sessionid session_id sessid oscsid zenid cfid cftoken xtc_sessionid
  fe_typo_user`);

const SESSION_PREFIX = /^aspsessionid/;

/** `sid=17` identifies a story, `sid=9f86d081884c7d65` a session. */
const AMBIGUOUS_SESSION_PARAMETERS = wordSet('sid s_id session');

const SESSION_TOKEN = /^(?=[^&]*\d)[\w-]{16,}$/;

/**
 * A session in the path, as Java servers (`/shop;jsessionid=0AF3/cart`) and ASP.NET (`/(S(lit3py55))/cart`) write it, or as
 * a segment with a name. A value has no parenthesis, written `(` or `%28`: with two ways to match, the time is exponential.
 */
const SESSION_IN_PATH =
  /;(?:jsessionid|phpsessid|sessionid|sid)=[^/;]*|(?<=^|\/)(?:\(|%28)(?:[AFSX](?:\(|%28)(?:[^()/%]|%(?!2[89]))*(?:\)|%29))+(?:\)|%29)(?:\/|$)|(?<=\/)(?:jsessionid|phpsessid|sessionid)[=/][\w-]{16,}(?:\/|$)/gi;

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

/** Whether a query parameter identifies the visit and not the page. */
function isVisitParameter(name: string, value: string): boolean {
  const key = name.toLowerCase();
  if (TRACKING_PARAMETERS.has(key) || TRACKING_PREFIX.test(key)) return true;
  if (SESSION_PARAMETERS.has(key) || SESSION_PREFIX.test(key)) return true;
  return AMBIGUOUS_SESSION_PARAMETERS.has(key) && SESSION_TOKEN.test(value);
}

/** Removes the session from a path. */
function withoutPathSession(path: string): string {
  return path.replace(SESSION_IN_PATH, '');
}

/** Escapes, stray percent signs, and every character that RFC 3986 does not allow in a path or a query. */
const TO_REWRITE = /%([0-9a-fA-F]{2})?|[^\w\-.~!$&'()*+,;=:@/?]/gu;
const UNRESERVED = /^[\w\-.~]$/;

/**
 * The canonical spelling of a path or a query: unreserved characters are unescaped, and all others that need
 * an escape have one with upper-case digits (RFC 3986, sections 6.2.2.1 and 6.2.2.2). Reserved characters
 * stay as they are, because `,` and `%2C` may lead to two pages. A percent sign that starts no escape becomes
 * `%25`; otherwise it could start one after the characters behind it are unescaped.
 */
export function normalizePercentEncoding(text: string): string {
  return text.replace(TO_REWRITE, (found, digits: string | undefined) => {
    if (digits === undefined) return found === '%' ? '%25' : encodeCharacter(found);
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return UNRESERVED.test(character) ? character : found.toUpperCase();
  });
}

function encodeCharacter(character: string): string {
  const escapes = Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`);
  return escapes.join('').toUpperCase();
}

const MAX_REPEATS = 3;
/** Later segments are not compared: a path with more is too long for `UrlScope`, and the time is quadratic in them. */
const MAX_SEGMENTS = 1_024;

/**
 * Whether a sequence of path segments occurs three times in a row, as in `/a/b/a/b/a/b`. Wrong relative links
 * lead to such URLs, and each of those pages links to a longer one. A repeated number does not count:
 * `/2011/11/11/11` is a date.
 *
 * @param url absolute; false for anything that is not a URL
 */
export function hasRepeatedSegments(url: string): boolean {
  const path = URL.parse(url)?.pathname ?? '';
  const segments = path.split('/').filter(Boolean).slice(0, MAX_SEGMENTS);
  for (let period = 1; period * MAX_REPEATS <= segments.length; period += 1) {
    let equal = 0;
    for (let at = period; at < segments.length; at += 1) {
      const segment = segments[at] ?? '';
      const isRepeat = segment === segments[at - period] && (period > 1 || !/^\d+$/.test(segment));
      equal = isRepeat ? equal + 1 : 0;
      if (equal >= period * (MAX_REPEATS - 1)) return true;
    }
  }
  return false;
}
