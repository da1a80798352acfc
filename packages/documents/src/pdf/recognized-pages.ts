import type { ReadWord } from '../document/recognition.js';
import { onPage, type PictureTurn, readTurn } from './picture-turn.js';
import type { Line } from './pdf-lines.js';
import { arrangedLines } from './reading-order.js';
import type { TextRun } from './text-run.js';
import { hasRightToLeft } from './visual-order.js';

/**
 * Percent. Words with a lower confidence are not text: of those on scanned receipts, one in five is on the paper, and the
 * others are stains, lines, logos or misread. They are kept with their places, see `PageWords.unreadable`.
 */
const MIN_CONFIDENCE = 30;
/**
 * Lines of one font size have boxes of different height (`on`, `Egypt`), within these factors of the median.
 */
const SAME_SIZE = { min: 0.7, max: 1.4 };
/** Font size of a line whose median word has a height of 1: words with small letters only have about half the font size. */
const FONT_SIZE = 1.3;
const LETTER = /[\p{L}\p{N}]/u;

interface Word {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly height: number;
  readonly recognized: ReadWord;
}

/** Lines in reading order. All lengths are in pixels from the top left. */
interface RecognizedPage {
  readonly height: number;
  readonly lines: readonly (readonly Word[])[];
  readonly unreadable: readonly ReadWord[];
}

/** The OCR results of Tesseract as lines of words with places, so that scanned pages are processed like others. */
export class RecognizedPages {
  private readonly pages = new Map<number, RecognizedPage>();
  /** Median height of lines, as a share of the page height. */
  private readonly usualHeight: number;

  /** @param tables Tesseract's TSV output by page number from 1 */
  constructor(tables: ReadonlyMap<number, string>) {
    const heights: number[] = [];
    for (const [number, table] of tables) {
      const page = readTable(number, table);
      if (page === null) continue;
      this.pages.set(number, page);
      for (const line of page.lines) heights.push(lineHeight(line) / page.height);
    }
    heights.sort((one, other) => one - other);
    this.usualHeight = heights[Math.trunc(heights.length / 2)] ?? 0;
  }

  /** Whether the page has an OCR result, even without text. */
  has(page: number): boolean {
    return this.pages.has(page);
  }

  /** Words that are not text, because their confidence is too low. */
  unreadable(page: number): readonly ReadWord[] {
    return this.pages.get(page)?.unreadable ?? [];
  }

  /**
   * The lines of a page in reading order. Columns are found by the places of the words, as in printed text: Tesseract reads
   * rows over the whole page.
   *
   * @param number from 1
   * @param pageHeight in points
   * @param bodySize font size of the other pages of the file in points; 0 when there are none
   */
  lines(number: number, pageHeight: number, bodySize: number): readonly Line[] {
    return arrangedLines(this.runs(this.pages.get(number), pageHeight, bodySize));
  }

  private runs(page: RecognizedPage | undefined, pageHeight: number, bodySize: number): TextRun[] {
    if (page === undefined) return [];
    const scale = pageHeight / page.height;
    const bodyHeight = this.usualHeight * pageHeight;
    return page.lines.flatMap((line) => {
      const share = (lineHeight(line) * scale) / bodyHeight;
      const isUsual = share > SAME_SIZE.min && share < SAME_SIZE.max;
      const fontSize = (bodySize || bodyHeight * FONT_SIZE) * (isUsual ? 1 : share);
      const y = pageHeight - median(line.map((word) => word.bottom)) * scale;
      return line.map((word) => ({
        text: word.text,
        x: word.left * scale,
        y,
        width: (word.right - word.left) * scale,
        fontSize,
        font: 'recognized',
        isMonospaced: false,
        isRightToLeft: hasRightToLeft(word.text),
        quarterTurns: 0,
        recognized: [word.recognized],
      }));
    });
  }
}

/**
 * Parses TSV with the columns level, page, block, paragraph, line, word, left, top, width, height,
 * confidence, text.
 */
function readTable(page: number, table: string): RecognizedPage | null {
  const lines = new Map<string, Word[]>();
  const unreadable: ReadWord[] = [];
  let size = { width: 0, height: 0 };
  let turn: PictureTurn = { quarters: 0, slope: 0 };
  for (const row of table.split('\n')) {
    const fields = row.split('\t');
    const [
      level,
      ,
      block,
      paragraph,
      line,
      ,
      left = NaN,
      top = NaN,
      width = NaN,
      height = NaN,
      percent = NaN,
    ] = fields.map(Number);
    const text = fields[11]?.trim() ?? '';
    if (level === 1) [size, turn] = [{ width, height }, readTurn(text)];
    const box = { left, top, width, height };
    if (level !== 5 || text === '' || !Object.values(box).every((value) => Number.isFinite(value))) continue;
    const confidence = Math.round(Math.min(100, Math.max(0, percent || 0)));
    const recognized = { page, text, confidence, ...onPage(box, size, turn) };
    if (percent < MIN_CONFIDENCE) {
      if (LETTER.test(text)) unreadable.push(recognized);
      continue;
    }
    const key = `${block} ${paragraph} ${line}`;
    const word = { text, left, right: left + width, bottom: top + height, height, recognized };
    const words = lines.get(key);
    if (words === undefined) lines.set(key, [word]);
    else words.push(word);
  }
  return size.height > 0 ? { height: size.height, lines: [...lines.values()], unreadable } : null;
}

function lineHeight(line: readonly Word[]): number {
  return median(line.map((word) => word.height));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.trunc(sorted.length / 2)] ?? 0;
}
