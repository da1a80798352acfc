import { createRequire } from 'node:module';
import type { FileType } from '../file-type/file-type.js';
import { decodeTiff } from '../picture/decode-tiff.js';
import { tiffPage } from '../picture/tiff-pages.js';
import { scriptOfLanguage } from '../recognized/languages.js';
import { withNote } from '../recognized/recognition-note.js';
import { orientationOf } from './orientation.js';
import { openScriptDetector } from './script-detector.js';
import {
  type LanguageFiles,
  openTesseract,
  type ReadOptions,
  type ReadPage,
  VERTICAL_DATA,
} from './tesseract.js';

import { joinUnspacedWords, layDown } from './unspaced-words.js';

export {
  ADDABLE_LANGUAGES,
  type AddableLanguage,
  LANGUAGE_PACKAGES,
  languagesOfScripts,
  scriptOfLanguage,
} from '../recognized/languages.js';
export { noteOf, type RecognitionNote, withNote, wordsOf } from '../recognized/recognition-note.js';
export { scaledPicture } from './scaled-picture.js';
export type { LanguageFiles } from './tesseract.js';
export { layDownVertical } from './unspaced-words.js';

/** Percent. Upright text in a script that the language data has is mostly read with more, other text with 10 to 50. */
export const SURE_CONFIDENCE = 60;
/** Percent. Below, a page in a script without data is not text. */
const MAX_FOREIGN_CONFIDENCE = 50;
/** Percentage points by which a turned page is read with more confidence. */
const MIN_GAIN = 15;

/** Language data that is installed with the product. */
export const INCLUDED_LANGUAGES: LanguageFiles = {
  eng: createRequire(import.meta.url).resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz'),
};

export interface PageToRecognize {
  readonly fileType: FileType;
  /** From 1. */
  readonly page: number;
  /** What may be used, the preferred ones first. */
  readonly languages: LanguageFiles;
  /** Whether the page is a picture in a document. */
  readonly isEmbedded?: boolean;
}

/**
 * Recognizes the text of a page, in this process: it blocks the event loop for seconds. The first call loads the
 * libraries. The languages with the script of the first one read the page together. Only if they are not sure, the script
 * and the orientation of the page are detected, and the languages of that script read it upright. Without such languages, its
 * words are left out.
 *
 * @returns Tesseract's tab-separated values with a {@link RecognitionNote}; null when the page cannot be decoded
 */
export async function recognizePage(
  file: Uint8Array,
  { fileType, page, languages, isEmbedded = false }: PageToRecognize,
): Promise<string | null> {
  const [first, ...others] = languageGroups(languages);
  if (first === undefined) throw new Error('there is no language data');
  const drawn = await pictureOf(file, fileType, page);
  if (drawn === null) return withNote(EMPTY_PAGE, { confidence: 100, languages: [] });
  const [, orientation] = drawn;
  let [picture] = drawn;
  const options = { orientation, isEmbedded };
  let best = await read(first, picture, options);
  if (fileType === 'image/tiff' && !WORD.test(best?.table ?? '')) {
    // Tesseract's decoder has no JPEG compression, and makes an empty picture of samples of 16 bits.
    picture = await decodeTiff(file, page);
    best = await read(first, picture, options);
  }
  // A picture in a document may be anything: only its text is looked for.
  if (best === null || isEmbedded || best.confidence >= SURE_CONFIDENCE) return best && noted(best);
  const { scripts, isSure, quarters } = (await openScriptDetector()).detect(picture, orientation);
  const readable = isSure ? scripts : [...scripts, first.script];
  const fitting = readable.flatMap((script) => [first, ...others].filter((group) => group.script === script));
  // The detection may take a poor print for one that is upside down.
  const turns = isSure ? [quarters] : [quarters, (quarters + 2) % 4];
  const attempts = fitting.flatMap((group) => turns.map((turn) => ({ group, turn })));
  for (const { group, turn } of attempts) {
    if (best.confidence >= SURE_CONFIDENCE) break;
    if (group === first && turn === 0) continue;
    const other = await read(group, picture, { ...options, quarters: turn });
    if (other !== null && other.confidence > best.confidence + (turn === 0 ? 0 : MIN_GAIN)) best = other;
  }
  if (fitting.length > 0 || best.confidence >= MAX_FOREIGN_CONFIDENCE) return noted(best);
  const [pageRow = ''] = best.table.split('\n', 1);
  return withNote(pageRow, {
    confidence: best.confidence,
    languages: Object.keys(best.files),
    unreadScripts: scripts,
  });
}

/** Language data that reads a page together. */
interface LanguageGroup {
  readonly script: string;
  readonly files: LanguageFiles;
}

interface GroupReading extends ReadPage {
  readonly files: LanguageFiles;
}

/** One group for each script. Data for vertical text is a group of its own, after the one of its script. */
function languageGroups(languages: LanguageFiles): LanguageGroup[] {
  const groups = new Map<string, { script: string; files: Record<string, string> }>();
  for (const [name, path] of Object.entries(languages)) {
    const script = scriptOfLanguage(name);
    const key = VERTICAL_DATA.test(name) ? name : script;
    const group = groups.get(key) ?? { script, files: {} };
    group.files[name] = path;
    groups.set(key, group);
  }
  return [...groups.values()];
}

async function read(
  { files }: LanguageGroup,
  picture: Uint8Array,
  options: ReadOptions,
): Promise<GroupReading | null> {
  const tesseract = await openTesseract(files);
  const reading = tesseract.recognize(picture, options);
  return reading && { ...reading, files };
}

function noted({ table, confidence, files }: GroupReading): string {
  const languages = Object.keys(files);
  const laid = languages.some((name) => VERTICAL_DATA.test(name)) ? layDown(table) : table;
  return withNote(joinUnspacedWords(laid), { confidence, languages });
}

/** Tesseract's row of a page. */
const EMPTY_PAGE = '1\t1\t0\t0\t0\t0\t0\t0\t1\t1\t-1\t';

/** The picture of a page, and its orientation as in EXIF. Null for an empty page of a PDF. */
async function pictureOf(
  file: Uint8Array,
  fileType: FileType,
  page: number,
): Promise<[picture: Uint8Array, orientation: number] | null> {
  if (fileType === 'image/tiff') return [tiffPage(file, page), 1];
  if (fileType !== 'application/pdf') return [file, orientationOf(file)];
  const { drawPage, isBlank, pgmOf } = await import('./page-picture.js');
  const drawn = await drawPage(file, page);
  return isBlank(drawn) ? null : [pgmOf(drawn), 1];
}

const WORD = /^5\t/m;
