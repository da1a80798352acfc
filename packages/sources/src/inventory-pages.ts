import type { InventoryPage, SkippedDocument, SourceDocument } from './source.js';

export const PAGE_DOCUMENTS = 500;

/** A page that is being filled. */
export function emptyPage(): { documents: SourceDocument[]; skipped: SkippedDocument[] } {
  return { documents: [], skipped: [] };
}

/**
 * Groups what an inventory finds into pages. The last page, which may be empty, says that everything was listed.
 *
 * @param cursorAfter where the inventory goes on after something that was found
 */
export async function* pagesOf(
  found: AsyncIterable<SourceDocument | SkippedDocument>,
  cursorAfter: (found: SourceDocument | SkippedDocument) => string,
): AsyncGenerator<InventoryPage> {
  let page = emptyPage();
  for await (const one of found) {
    if ('reason' in one) page.skipped.push(one);
    else page.documents.push(one);
    if (page.documents.length + page.skipped.length < PAGE_DOCUMENTS) continue;
    yield { ...page, cursor: cursorAfter(one) };
    page = emptyPage();
  }
  yield { ...page, cursor: null };
}

/** By UTF-16 units: the same order in every process. */
export function compareNames(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** `1 file`, `2 files`. */
export function counted(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
