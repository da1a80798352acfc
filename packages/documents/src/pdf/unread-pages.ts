import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import { pageNumbers } from '../document/recognition.js';

const HOW_TO_RECOGNIZE =
  'Text recognition (OCR) failed on them, or has no data for the language: ask the operator to check OCR_LANGUAGES, or ' +
  'run the file through other OCR software and upload the result.';

export function ocrRequired(scanned: readonly number[], garbled: readonly number[]): DocumentError {
  const pages = pageNumbers(scanned);
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
    builder.warn('PARTLY_READ', `Pages ${pageNumbers(damaged)} are damaged, so their text is missing.`);
  const images = scanned.filter((page) => !garbled.includes(page));
  if (images.length > 0) {
    const pages = `Pages ${pageNumbers(images)} are images with no more than a few printed words`;
    builder.warn('PARTLY_READ', `${pages}. If they show text, it was not read. ${HOW_TO_RECOGNIZE}`);
  }
  if (garbled.length > 0) {
    const pages = `Fonts of pages ${pageNumbers(garbled)} do not say which letters they show`;
    builder.warn('GARBLED', `${pages}, so the text in these fonts is missing. ${HOW_TO_RECOGNIZE}`);
  }
}
