import { createRequire } from 'node:module';
import type { FileType } from '../file-type/file-type.js';
import { decodeTiff } from '../picture/decode-tiff.js';
import { tiffPage } from '../picture/tiff-pages.js';
import { type LanguageFiles, openTesseract } from './tesseract.js';

export type { LanguageFiles } from './tesseract.js';

/** Language data that is installed with the product. */
export const INCLUDED_LANGUAGES: LanguageFiles = {
  eng: createRequire(import.meta.url).resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz'),
};

export interface PageToRecognize {
  readonly fileType: FileType;
  /** From 1. */
  readonly page: number;
  readonly languages: LanguageFiles;
  /** Whether the page is a picture in a document. */
  readonly isEmbedded?: boolean;
}

/**
 * Recognizes the text of a page, in this process: it blocks the event loop for seconds. The first call loads the
 * libraries.
 *
 * @returns Tesseract's tab-separated values; null when the page cannot be decoded
 */
export async function recognizePage(
  file: Uint8Array,
  { fileType, page, languages, isEmbedded = false }: PageToRecognize,
): Promise<string | null> {
  const tesseract = await openTesseract(languages);
  if (fileType === 'image/tiff') {
    const table = tesseract.recognize(tiffPage(file, page));
    // Tesseract's decoder has no JPEG compression, and makes an empty picture of samples of 16 bits.
    return table !== null && WORD.test(table) ? table : tesseract.recognize(await decodeTiff(file, page));
  }
  if (fileType !== 'application/pdf')
    return tesseract.recognize(file, { orientation: orientationOf(file), isEmbedded });
  const { drawPage } = await import('./page-picture.js');
  return tesseract.recognize(await drawPage(file, page));
}

const WORD = /^5\t/m;

/** EXIF's field of the orientation, in both byte orders, up to its value (EXIF 2.32, 4.6.4). */
const ORIENTATION = [Buffer.from('0112000300000001', 'hex'), Buffer.from('1201030001000000', 'hex')];
const JPEG_START = 0xff_d8;
const EXIF_BYTES = 65_536;

/** The orientation of a photo by its EXIF data; 1 if it has none. */
function orientationOf(file: Uint8Array): number {
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(EXIF_BYTES, file.byteLength));
  if (head.length < 2 || head.readUInt16BE(0) !== JPEG_START) return 1;
  const values = ORIENTATION.map((field, index) => {
    const at = head.indexOf(field);
    return at < 0 ? undefined : head[at + field.length + (index === 0 ? 1 : 0)];
  });
  return values.find((value) => value !== undefined && value >= 1 && value <= 8) ?? 1;
}
