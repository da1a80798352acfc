import { collapseSpace } from '../document/canonical-text.js';
import type { Glyph } from './glyph.js';
import type { Box } from './page-geometry.js';

/** Characters without a shape. */
const IGNORED_CHARACTERS = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+/g;
/** A longer text does not stand for glyphs. The limits keep a file from multiplying its text. */
const MAX_CHARACTERS = { perGlyph: 40, ofDrawing: 400 };

/**
 * The text that the file gives for glyphs (`ActualText`, ISO 32000-1, 14.9.4) without characters that have no shape: many
 * files give a soft hyphen for a printed one.
 */
export function ownTextOf(text: string): string {
  return collapseSpace(text.normalize('NFC').replace(IGNORED_CHARACTERS, '')).trim();
}

/** A glyph without text in the area of a drawing. */
export function glyphOfDrawing(
  { left, right, bottom, top }: Box,
  { fontSize, ...like }: Pick<Glyph, 'font' | 'fontSize' | 'visibility'>,
): Glyph {
  return {
    ...like,
    text: '',
    x: left,
    y: bottom,
    width: right - left,
    fontSize: Math.min(top - bottom, fontSize),
    quarterTurns: 0,
    letterSpacing: 0,
    isUnknown: false,
  };
}

/**
 * The text that the file gives for glyphs or for a drawing, as one glyph at the place of their first line. Returns the
 * glyphs when they are spaces or the text is theirs: some programs repeat a printed bullet as the text of a space.
 */
export function replacedGlyphs(own: string, glyphs: readonly Glyph[]): readonly Glyph[] {
  const first = glyphs.find(({ visibility }) => visibility === 'visible') ?? glyphs[0];
  if (first === undefined) return glyphs;
  const max = first.text === '' ? MAX_CHARACTERS.ofDrawing : glyphs.length * MAX_CHARACTERS.perGlyph;
  const printed = withoutSpace(glyphs.map((glyph) => glyph.text).join(''));
  const isSpace = printed === '' && first.text !== '';
  if (own.length > max || isSpace || printed === withoutSpace(own)) return glyphs;
  const line = glyphs.filter(({ y }) => Math.abs(y - first.y) < first.fontSize / 2);
  const left = Math.min(...line.map(({ x }) => x));
  const right = Math.max(...line.map(({ x, width }) => x + width));
  return [{ ...first, text: own, x: left, width: right - left, isUnknown: false }];
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Accents that programs such as TeX draw apart from their letters. Most have a form that combines with letters. */
const ACCENT = /^[`´¨¯¸ˆˇ˘-˝]$/;
const OTHER_MARKS: Readonly<Record<string, string>> = { '`': '\u0300', ˆ: '\u0302', ˇ: '\u030c' };
const DOTTED: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' };
const LETTER = /^\p{L}$/u;
/** The letter of an accent is at most this many glyphs away in drawing order. */
const MAX_STEPS = 40;
// Factors of the font size. Accents of slanted letters are beside their middle, those of capital letters are raised.
const MAX_SHIFT = 0.15;
const MAX_RAISE = 0.6;

/** Joins each accent with the letter at whose place it is drawn. Other accents stay as they are. */
export function withJoinedAccents(glyphs: readonly Glyph[]): readonly Glyph[] {
  const letters = new Map<number, string>();
  const joined = new Set<number>();
  for (const [index, accent] of glyphs.entries()) {
    const base = ACCENT.test(accent.text) ? letterAt(glyphs, index) : null;
    const letter = base === null ? undefined : glyphs[base]?.text;
    if (base === null || letter === undefined) continue;
    const mark = OTHER_MARKS[accent.text] ?? accent.text.normalize('NFKC').trim();
    letters.set(base, ((letters.get(base) ?? DOTTED[letter] ?? letter) + mark).normalize('NFC'));
    joined.add(index);
  }
  if (joined.size === 0) return glyphs;
  return glyphs
    .map((glyph, index) => ({ ...glyph, text: letters.get(index) ?? glyph.text }))
    .filter((_, index) => !joined.has(index));
}

/** The index of the letter over or under which an accent is centred; the nearest one in drawing order. */
function letterAt(glyphs: readonly Glyph[], index: number): number | null {
  const accent = glyphs[index];
  if (accent === undefined) return null;
  const middle = accent.x + accent.width / 2;
  const { fontSize } = accent;
  for (let step = 1; step <= MAX_STEPS; step += 1) {
    for (const at of [index + step, index - step]) {
      const { text, x, width, y, quarterTurns } = glyphs[at] ?? accent;
      const distance = Math.abs(x + width / 2 - middle);
      const isAtPlace =
        distance < Math.max(width / 2, fontSize * MAX_SHIFT) && Math.abs(y - accent.y) < fontSize * MAX_RAISE;
      if (isAtPlace && quarterTurns === accent.quarterTurns && LETTER.test(text)) return at;
    }
  }
  return null;
}
