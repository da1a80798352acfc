import { symbolFontOf } from '../office/symbol-fonts.js';
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** What the reader needs to know about a font. */
export interface PageFont {
  /** Opaque id, unique in the document. */
  readonly id: string;
  readonly name: string;
  readonly isMonospaced: boolean;
  /** Whether its codes may have several bytes (ISO 32000-1, 9.7). */
  readonly isComposite: boolean;
  /** Whether text runs from top to bottom. */
  readonly isVertical: boolean;
  /** Width in text space of one unit of a glyph's width. */
  readonly unit: number;
  /**
   * Height of the letters as a factor of font sizes up to 1. A font that is made of drawings may have its size in its
   * own matrix.
   */
  readonly height: number;
  /** The symbol font whose characters are at the codes of letters; null for other fonts. */
  readonly symbols: string | null;
}

const UNKNOWN = {
  name: '',
  isMonospaced: false,
  isComposite: false,
  isVertical: false,
  unit: 0.001,
  height: 1,
  symbols: null,
};

/** The fonts of a file. */
export class PageFonts {
  private readonly fonts = new Map<string, PageFont>();

  /** Reads a font that the drawing operators of the page refer to. */
  read(page: PDFPageProxy, id: string): PageFont {
    const known = this.fonts.get(id);
    if (known !== undefined) return known;
    const font = readFont(page, id);
    this.fonts.set(id, font);
    return font;
  }

  /** Decides by the name, because most producers do not set the flags of the font descriptor. */
  isBold(id: string): boolean {
    return /bold|black|heavy|demi|-medi|cmbx|sfbx/i.test(this.fonts.get(id)?.name ?? '');
  }
}

function readFont(page: PDFPageProxy, id: string): PageFont {
  const font: unknown = page.commonObjs.has(id) ? page.commonObjs.get(id) : null;
  if (typeof font !== 'object' || font === null) return { id, ...UNKNOWN };
  const field = (name: string): unknown => Reflect.get(font, name);
  const name = field('name');
  const matrix = numbersOf(field('fontMatrix'));
  const [, bottom = 0, , top = 0] = numbersOf(field('bbox'));
  const [unit = UNKNOWN.unit, , , vertical = UNKNOWN.unit] = matrix;
  const isDrawn = field('isType3Font') === true;
  const boxHeight = Math.abs(top - bottom);
  // Many such fonts have no useful box. Letters are about twice as high as wide.
  const height = isDrawn ? (boxHeight > 1 ? boxHeight : meanOf(field('widths')) * 2) * Math.abs(vertical) : 1;
  return {
    id,
    name: typeof name === 'string' ? name : '',
    isMonospaced: field('fallbackName') === 'monospace',
    isComposite: field('composite') === true,
    isVertical: field('vertical') === true,
    unit: unit || UNKNOWN.unit,
    height: height > 0 ? height : 1,
    symbols: symbolFontOf(String(name)),
  };
}

function numbersOf(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}

function meanOf(widths: unknown): number {
  const values = (typeof widths === 'object' && widths !== null ? Object.values(widths) : []).map(Number);
  const known = values.filter((value) => value > 0);
  return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
}
