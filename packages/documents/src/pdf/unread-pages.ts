import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';

const HOW_TO_RECOGNIZE =
  'Text recognition (OCR) failed on them, or has no data for the language: ask the operator to check OCR_LANGUAGES, or ' +
  'run the file through other OCR software and upload the result.';

export function ocrRequired(scanned: readonly number[], garbled: readonly number[]): DocumentError {
  const pages = pageRanges(scanned);
  const others = garbled.length === 0 ? '' : ', or their fonts do not say which letters they show';
  return new DocumentError('OCR_REQUIRED', `no text on pages ${pages}`, {
    userMessage: `Pages ${pages} are scanned images${others}. ${HOW_TO_RECOGNIZE}`,
  });
}

/** Warns of pages whose text is missing, although the document is read. */
export function warnOfUnreadPages(
  builder: DocumentBuilder,
  { scanned, garbled, damaged }: Readonly<Record<'scanned' | 'garbled' | 'damaged', readonly number[]>>,
): void {
  if (damaged.length > 0)
    builder.warn('PARTLY_READ', `Pages ${pageRanges(damaged)} are damaged, so their text is missing.`);
  const images = scanned.filter((page) => !garbled.includes(page));
  if (images.length > 0) {
    const pages = `Pages ${pageRanges(images)} are images with no more than a few printed words`;
    builder.warn('PARTLY_READ', `${pages}. If they show text, it was not read. ${HOW_TO_RECOGNIZE}`);
  }
  if (garbled.length > 0) {
    const pages = `Fonts of pages ${pageRanges(garbled)} do not say which letters they show`;
    builder.warn('GARBLED', `${pages}, so the text in these fonts is missing. ${HOW_TO_RECOGNIZE}`);
  }
}

/** Formats page numbers as ranges: `1-3, 7`. */
export function pageRanges(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
