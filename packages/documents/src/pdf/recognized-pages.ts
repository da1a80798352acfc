import type { TextRun } from './text-run.js';

/** What Tesseract is less sure of than this, in percent, is rather a stain, a stamp or a part of a picture. */
const MIN_CONFIDENCE = 30;
/** Boxes of lines differ with their letters (`on`, `Egypt`): within these shares of the usual they are of one size. */
const SAME_SIZE = { min: 0.7, max: 1.4 };
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]/u;

interface Word {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly height: number;
}

/** Lines in the order in which they are read; all in pixels from the left and from the top. */
interface RecognizedPage {
  readonly height: number;
  readonly lines: readonly (readonly Word[])[];
}

/**
 * What Tesseract read from pictures of pages, as runs of glyphs: a page that was recognised goes the way of one with
 * text. Columns and the order of reading are Tesseract's.
 */
export class RecognizedPages {
  private readonly pages = new Map<number, RecognizedPage>();
  /** Height of most lines, as a share of their page's. */
  private readonly usualHeight: number;

  /** @param tables by page from 1, as Tesseract's configuration `tsv` prints them */
  constructor(tables: ReadonlyMap<number, string>) {
    const heights: number[] = [];
    for (const [number, table] of tables) {
      const page = readTable(table);
      if (page === null) continue;
      this.pages.set(number, page);
      for (const line of page.lines) heights.push(lineHeight(line) / page.height);
    }
    heights.sort((one, other) => one - other);
    this.usualHeight = heights[Math.trunc(heights.length / 2)] ?? 0;
  }

  /** Whether recognition was done, with or without a result. */
  has(page: number): boolean {
    return this.pages.has(page);
  }

  /**
   * @param number from 1
   * @param pageHeight in points
   * @param bodySize size in which the file's other pages are set; 0 when there are none
   */
  runs(number: number, pageHeight: number, bodySize: number): TextRun[] {
    const page = this.pages.get(number);
    if (page === undefined) return [];
    const scale = pageHeight / page.height;
    const usual = this.usualHeight * pageHeight;
    return page.lines.flatMap((line) => {
      const share = (lineHeight(line) * scale) / usual;
      const isUsual = share > SAME_SIZE.min && share < SAME_SIZE.max;
      const fontSize = (bodySize || usual) * (isUsual ? 1 : share);
      const y = pageHeight - median(line.map((word) => word.bottom)) * scale;
      return line.map((word, index) => ({
        text: word.text,
        x: word.left * scale,
        y,
        width: (word.right - word.left) * scale,
        fontSize,
        font: 'recognized',
        isMonospaced: false,
        isRightToLeft: RIGHT_TO_LEFT.test(word.text),
        endsLine: index === line.length - 1,
        quarter: 0,
      }));
    });
  }
}

/** Columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
function readTable(table: string): RecognizedPage | null {
  const lines = new Map<string, Word[]>();
  let pageHeight = 0;
  for (const row of table.split('\n')) {
    const fields = row.split('\t');
    const [level, , block, paragraph, line, , left, top, width, height, confidence] = fields.map(Number);
    if (level === 1) pageHeight = height ?? 0;
    const text = fields[11]?.trim() ?? '';
    if (level !== 5 || text === '' || !((confidence ?? 0) >= MIN_CONFIDENCE)) continue;
    const box = [left, top, width, height];
    if (!box.every((value) => Number.isFinite(value))) continue;
    const [x = 0, y = 0, w = 0, h = 0] = box;
    const key = `${block} ${paragraph} ${line}`;
    const word = { text, left: x, right: x + w, bottom: y + h, height: h };
    const words = lines.get(key);
    if (words === undefined) lines.set(key, [word]);
    else words.push(word);
  }
  return pageHeight > 0 ? { height: pageHeight, lines: [...lines.values()] } : null;
}

function lineHeight(line: readonly Word[]): number {
  return median(line.map((word) => word.height));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.trunc(sorted.length / 2)] ?? 0;
}
