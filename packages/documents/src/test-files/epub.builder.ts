import { buildZip } from './office.builder.js';

/**
 * Builds a book of one page.
 *
 * @param body the children of the page's `body`
 * @param parts further parts by name
 */
export function buildEpub(
  body: string,
  parts: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array<ArrayBuffer> {
  return buildZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    'book.opf':
      '<package><manifest><item id="page" href="page.xhtml" media-type="application/xhtml+xml"/></manifest>' +
      '<spine><itemref idref="page"/></spine></package>',
    'page.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`,
    ...parts,
  });
}
