import { createRequire } from 'node:module';
import { type LanguageFiles, openTesseract } from './tesseract.js';

export type { LanguageFiles } from './tesseract.js';

/** Language data that is installed with the product. */
export const INCLUDED_LANGUAGES: LanguageFiles = {
  eng: createRequire(import.meta.url).resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz'),
};

export interface PageToRecognize {
  /** From 1. */
  readonly page: number;
  readonly languages: LanguageFiles;
}

/**
 * Recognizes the text of a page, in this process: it blocks the event loop for seconds. The first call loads the
 * libraries.
 *
 * @returns Tesseract's tab-separated values; null when the page cannot be decoded
 */
export async function recognizePage(
  file: Uint8Array,
  { page, languages }: PageToRecognize,
): Promise<string | null> {
  const { drawPage } = await import('./page-picture.js');
  const picture = await drawPage(file, page);
  return (await openTesseract(languages)).recognize(picture);
}
