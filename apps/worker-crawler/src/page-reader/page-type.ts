export const HTML = 'text/html';
const XHTML = 'application/xhtml+xml';

/** Bytes of a page, or of a file in its place, that are fetched. */
export const MAX_PAGE_BYTES = 50 * 1024 * 1024;

/**
 * What a server sends. One that does not say, or sends XHTML, sends a page.
 *
 * @param declared the type that the server names, without parameters
 */
export function typeOf(declared: string | null): string {
  return declared === null || declared === XHTML ? HTML : declared;
}

/** Whether a server sends a page. @param declared as of {@link typeOf} */
export function isPage(declared: string | null): boolean {
  return typeOf(declared) === HTML;
}

/** Types under which servers send whatever they do not know. */
const OF_ANYTHING = new Set(['text/plain', 'application/octet-stream', 'binary/octet-stream']);

/**
 * Whether a server sends something that is written in characters and is no text to read: a style sheet, a script, a
 * calendar. A single page of such a type is refused as well.
 *
 * @param found what its bytes and its name make of it
 */
export function isOtherText(declared: string | null, found: string): boolean {
  return found === 'text/plain' && declared !== null && !OF_ANYTHING.has(declared);
}
