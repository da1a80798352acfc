import type { Glyph } from './glyph.js';

/** The glyphs of a page without those whose characters are unknown. */
export interface LegibleGlyphs {
  readonly glyphs: readonly Glyph[];
  /** Whether characters are unknown: `mostly` when the page cannot be read without them. */
  readonly garbled: 'mostly' | 'partly' | 'no';
}

const MIN_GLYPHS = 8;
/** Formulas of old TeX files may have unknown signs; a page with a larger share of them cannot be read. */
const MIN_SHARE = 0.2;
/** Characters that no text has: control characters, private ones, and those that Unicode does not have. */
const BROKEN = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/gu;
const MAX_BROKEN = 0.05;
/** Signs that are rare in text. Fonts that number their glyphs as they occur have them in every word. */
const ODD_SIGN = /[!"#$%&*+<=>?@[\\\]^_`{|}~\p{Lm}\p{Sk}]/gu;
const MAX_ODD_SIGNS = 0.25;
const LATIN = /\p{Script=Latin}/gu;
const OTHER_SCRIPTS = [
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu,
  /\p{Script=Arabic}/gu,
  /\p{Script=Cyrillic}/gu,
  /\p{Script=Devanagari}/gu,
  /\p{Script=Greek}/gu,
  /\p{Script=Hebrew}/gu,
  /\p{Script=Thai}/gu,
];
const VOWEL = /[aeiouy]/gi;
/** Languages have .35 to .5, random letters .23, and text whose letters are shifted by a constant about .15. */
const MIN_VOWELS = 0.2;
/** Of letters. Numbers of glyphs that are read as characters are letters of many scripts. */
const MIN_MAIN_SCRIPT = 0.6;
const MIN_LETTERS = 6;

/** Removes the glyphs of fonts that do not say which characters they show, unless their codes read as text. */
export function legibleGlyphs(glyphs: readonly Glyph[]): LegibleGlyphs {
  const unknown = Map.groupBy(
    glyphs.filter(({ isUnknown, text }) => isUnknown && text !== ' '),
    ({ font }) => font,
  );
  const lost = new Set<Glyph>();
  for (const own of unknown.values()) if (!isText(own)) for (const glyph of own) lost.add(glyph);
  const isMostly = lost.size >= glyphs.length * MIN_SHARE;
  // Fonts of one byte mostly have ASCII codes, so that parts of their text are right.
  const isWrong = isMostly || [...lost].some(({ font }) => font.isComposite);
  if (lost.size < MIN_GLYPHS || !isWrong) return { glyphs, garbled: 'no' };
  return { glyphs: glyphs.filter((glyph) => !lost.has(glyph)), garbled: isMostly ? 'mostly' : 'partly' };
}

/** Whether the codes of glyphs are characters, as some programs make them. */
function isText(glyphs: readonly Glyph[]): boolean {
  const text = glyphs
    .map((glyph) => glyph.text)
    .join('')
    .normalize('NFD');
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  if (count(BROKEN) > text.length * MAX_BROKEN || count(ODD_SIGN) > text.length * MAX_ODD_SIGNS) return false;
  const [letters, latin] = [count(/\p{L}/gu), count(LATIN)];
  if (letters < MIN_LETTERS) return true;
  if (Math.max(latin, ...OTHER_SCRIPTS.map(count)) < letters * MIN_MAIN_SCRIPT) return false;
  return latin < MIN_LETTERS || count(VOWEL) >= latin * MIN_VOWELS;
}
