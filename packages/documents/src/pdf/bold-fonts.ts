import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Line } from './pdf-lines.js';

/** Asking for a page's fonts costs as much as reading its text: so often in a file, and sooner or later by its pages. */
const MAX_QUESTIONS = 8;
const FIRST_QUESTIONS = 2;
const PAGES_PER_QUESTION = 8;
const MAX_CHARACTERS = 100;

/**
 * Which fonts of a file are bold. The engine tells only with what it takes to draw a page, so a page is asked when
 * something on it could be a heading that nothing but its font sets apart, in a font that is not known yet.
 */
export class BoldFonts {
  private readonly isBoldByFont = new Map<string, boolean>();
  private questions = 0;

  isBold(font: string): boolean {
    return this.isBoldByFont.get(font) ?? false;
  }

  /** To be asked before the page is let go. */
  async learn(page: PDFPageProxy, lines: readonly Line[]): Promise<void> {
    const allowed = FIRST_QUESTIONS + page.pageNumber / PAGES_PER_QUESTION;
    if (this.questions >= Math.min(MAX_QUESTIONS, allowed)) return;
    const fonts = new Set(lines.map((line) => line.font));
    const isUnknown = (line: Line): boolean => !this.isBoldByFont.has(line.font) && couldBeHeading(line);
    if (fonts.size < 2 || !lines.some(isUnknown)) return;
    this.questions += 1;
    await page.getOperatorList();
    for (const font of fonts) {
      const known: unknown = page.commonObjs.has(font) ? page.commonObjs.get(font) : undefined;
      this.isBoldByFont.set(font, isBoldFont(known));
    }
  }
}

/** A short line that begins like a title and does not end like a sentence. */
export function couldBeHeading({ text, cells, isMonospaced, isEntry }: Line): boolean {
  // Between a number and its title is a wide gap in many books.
  const isNumbered = cells.length === 2 && /^[\dA-Z]{1,3}(?:\.\d{1,2})*\.?$/.test(cells[0]?.text ?? '');
  if ((cells.length > 1 && !isNumbered) || isMonospaced || isEntry) return false;
  if (text.length > MAX_CHARACTERS) return false;
  return /^[\p{Lu}\p{Lo}\d]/u.test(text) && /\p{L}{2}/u.test(text) && !/[.,;:!?…]$/.test(text);
}

/** By its name: the flags of its descriptor are forgotten by most producers. */
function isBoldFont(font: unknown): boolean {
  if (typeof font !== 'object' || font === null) return false;
  return /bold|black|heavy|demi|-medi|cmbx|sfbx/i.test(String(Reflect.get(font, 'name')));
}
