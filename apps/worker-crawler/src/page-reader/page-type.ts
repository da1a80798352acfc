import type { FetchResult } from '@citewell/web';

export const HTML = 'text/html';
const XHTML = 'application/xhtml+xml';
/** Types that servers send for files of unknown type. */
const GENERIC_TYPES = new Set(['text/plain', 'application/octet-stream', 'binary/octet-stream']);

/** Maximum size of a page, or of a file in its place. */
export const MAX_PAGE_BYTES = 50 * 1024 * 1024;

/**
 * The content type of a response. Without a declared type, and for XHTML, it is HTML.
 *
 * @param declared the type that the server declares, without parameters
 */
export function typeOf(declared: string | null): string {
  return declared === null || declared === XHTML ? HTML : declared;
}

/** Whether a response is an HTML page. @param declared as for {@link typeOf} */
export function isPage(declared: string | null): boolean {
  return typeOf(declared) === HTML;
}

/**
 * Whether a response is text but not a document, such as a style sheet, a script or a calendar. Single pages
 * of such a type are refused, too.
 *
 * @param found the type detected from its bytes and its name
 */
export function isOtherText(declared: string | null, found: string): boolean {
  return found === 'text/plain' && declared !== null && !GENERIC_TYPES.has(declared);
}

/** What the reader of a page needs to know of the header `Refresh`. */
export function refreshOf({ headers }: Pick<FetchResult, 'headers'>): { readonly refreshHeader?: string } {
  const [refreshHeader] = [headers['refresh'] ?? []].flat();
  return refreshHeader === undefined ? {} : { refreshHeader };
}
