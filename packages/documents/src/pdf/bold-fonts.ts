import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Line } from './pdf-lines.js';

// Reading the fonts of a page costs as much as reading its text. The number of such requests per file is
// limited, and grows with the page number up to that limit.
const MAX_REQUESTS = 8;
const INITIAL_REQUESTS = 2;
const PAGES_PER_REQUEST = 8;
const MAX_CHARACTERS = 100;

/**
 * Learns which fonts of a file are bold. The engine reports fonts only with the drawing operators of a page.
 * They are requested only for a page with a line in an unknown font that could be a heading.
 */
export class BoldFonts {
  private readonly isBoldByFont = new Map<string, boolean>();
  private requests = 0;

  isBold(font: string): boolean {
    return this.isBoldByFont.get(font) ?? false;
  }

  /** Call this before the page is cleaned up. */
  async learn(page: PDFPageProxy, lines: readonly Line[]): Promise<void> {
    const allowed = INITIAL_REQUESTS + page.pageNumber / PAGES_PER_REQUEST;
    if (this.requests >= Math.min(MAX_REQUESTS, allowed)) return;
    const fonts = new Set(lines.map((line) => line.font));
    const isUnknown = (line: Line): boolean => !this.isBoldByFont.has(line.font) && couldBeHeading(line);
    if (fonts.size < 2 || !lines.some(isUnknown)) return;
    this.requests += 1;
    await page.getOperatorList();
    for (const font of fonts) {
      const known: unknown = page.commonObjs.has(font) ? page.commonObjs.get(font) : undefined;
      this.isBoldByFont.set(font, isBoldFont(known));
    }
  }
}

/** Whether a line is short, begins like a title and does not end like a sentence. */
export function couldBeHeading({ text, cells, isMonospaced, isEntry }: Line): boolean {
  // Many books have a wide gap between the number and the title.
  const isNumbered = cells.length === 2 && /^[\dA-Z]{1,3}(?:\.\d{1,2})*\.?$/.test(cells[0]?.text ?? '');
  if ((cells.length > 1 && !isNumbered) || isMonospaced || isEntry) return false;
  if (text.length > MAX_CHARACTERS) return false;
  return /^[\p{Lu}\p{Lo}\d]/u.test(text) && /\p{L}{2}/u.test(text) && !/[.,;:!?…]$/.test(text);
}

/** Decides by the name, because most producers do not set the flags of the font descriptor. */
function isBoldFont(font: unknown): boolean {
  if (typeof font !== 'object' || font === null) return false;
  return /bold|black|heavy|demi|-medi|cmbx|sfbx/i.test(String(Reflect.get(font, 'name')));
}
