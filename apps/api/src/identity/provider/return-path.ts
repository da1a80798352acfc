/** Of no page. */
const BASE = 'http://return.invalid';
const MAX_LENGTH = 2_000;

/** The path of a page of this service; `/` for everything else, because a link could lead to another site. */
export function returnPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || wanted.length > MAX_LENGTH || !/^\/(?![/\\])/.test(wanted)) return '/';
  // Browsers remove control characters from addresses, and read a backslash as a slash.
  const url = /[\p{Cc}\\]/u.test(wanted) ? null : URL.parse(wanted, BASE);
  if (
    url === null ||
    url.origin !== BASE ||
    url.pathname.startsWith('//') ||
    /^\/api(?:\/|$)/i.test(url.pathname)
  )
    return '/';
  return `${url.pathname}${url.search}`;
}
