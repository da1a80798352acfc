import type { Glyph, Visibility } from './glyph.js';
import { withJoinedAccents } from './glyph-text.js';
import type { TextRun } from './text-run.js';
import { hasRightToLeft, inLogicalOrder, isMostlyRightToLeft } from './visual-order.js';

// All distances are factors of the font size.
/** A wider gap between glyphs is a space. */
const SPACE_GAP = 0.11;
/** A narrower drawn space is ignored. */
const NO_SPACE_GAP = 0.03;
const OVERLAP = 0.1;
/** A wider gap ends a run. */
const RUN_GAP = 0.6;
/** The same after letters that are spaced out. */
const WIDE_GAP = 1.1;
/** A larger step back ends a run. */
const BACK_STEP = 0.3;
const SAME_BASELINE = 0.06;
/** A glyph that is drawn again is shifted by at most this. */
export const MAX_SHIFT = 0.2;
/** Wider spacing between letters, and between other characters, separates words. */
const MAX_LETTER_SPACING = 1.2;
const MAX_NUMBER_SPACING = 0.6;
/** Presentation forms and ligatures, which are stored as the letters that they show. */
const PRESENTATION_FORM = /[\u2000-\u200a\u202f\u00a0\ufb00-\ufdff\ufe70-\ufefc]/u;
/** Marks that are placed at the letter under or over which they are drawn. */
const PLACED_MARK = /^[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]+$/u;
/** Characters that fill the space for an entry of a form. Entries are drawn over them. */
const FILLER = /^[_.…]$/u;
const MIN_FILLER = 3;
const LETTER = /^\p{L}/u;

/** A run and its glyphs, from left to right. */
export interface GlyphRun {
  readonly run: TextRun;
  readonly glyphs: readonly Glyph[];
}

/** How visible a run is: as visible as its most visible glyph. */
export function visibilityOf({ glyphs }: GlyphRun): Visibility {
  return glyphs.find(({ visibility }) => visibility !== 'clipped')?.visibility ?? 'clipped';
}

/** Groups the glyphs of a page into runs, in drawing order. */
export function runsOf(glyphs: readonly Glyph[]): GlyphRun[] {
  const runs: GlyphRun[] = [];
  let open: OpenRun | undefined;
  for (const glyph of withJoinedAccents(glyphs)) {
    if (glyph.text === ' ') open?.addSpace(glyph);
    else if (open?.add(glyph) !== true) {
      if (open !== undefined) runs.push(...open.close());
      open = new OpenRun(glyph);
    }
  }
  if (open !== undefined) runs.push(...open.close());
  return runs;
}

class OpenRun {
  private readonly glyphs: Glyph[];
  /** The last drawn space, which counts if the run continues behind it. */
  private space: Glyph | null = null;
  private left: number;
  private right: number;

  constructor(private readonly first: Glyph) {
    this.glyphs = [first];
    this.left = first.x;
    this.right = first.x + first.width;
  }

  addSpace(glyph: Glyph): void {
    this.space = glyph;
  }

  /** @returns false when the glyph is not part of this run */
  add(glyph: Glyph): boolean {
    const { first } = this;
    const size = first.fontSize;
    if (glyph.font !== first.font || glyph.quarterTurns !== first.quarterTurns) return false;
    if (Math.abs(glyph.fontSize - size) > size * 0.02 || !this.isAsVisible(glyph)) return false;
    if (PLACED_MARK.test(glyph.text)) {
      const isOver = glyph.x > this.left - size * BACK_STEP && glyph.x < this.right + size * BACK_STEP;
      if (isOver && Math.abs(glyph.y - first.y) < size) this.glyphs.push({ ...glyph, width: 0 });
      return isOver;
    }
    if (Math.abs(glyph.y - first.y) > size * SAME_BASELINE) return false;
    const last = this.glyphs.at(-1);
    if (last !== undefined && isOverprint(glyph, last)) return true;
    const end = glyph.x + glyph.width;
    const after = glyph.x - this.right - spacingBetween(last, glyph);
    const before = this.left - end;
    const isAfter = after > -size * BACK_STEP && after < size * (this.isSpacedOut() ? WIDE_GAP : RUN_GAP);
    // Letters that are drawn from right to left.
    const isBefore =
      !isAfter && hasRightToLeft(glyph.text) && before > -size * BACK_STEP && before < size * RUN_GAP;
    if (!isAfter && !isBefore) return false;
    const gap = isAfter ? after : before;
    // Words do not overlap: if they seem to, the widths of the font are wrong.
    const isSpace =
      this.space === null ? gap > size * SPACE_GAP : gap > size * NO_SPACE_GAP || gap < -size * OVERLAP;
    if (isSpace) {
      const x = isAfter ? this.right : end;
      this.glyphs.push({ ...(this.space ?? first), text: ' ', x, width: Math.max(0, gap), y: first.y });
    }
    this.space = null;
    this.glyphs.push(glyph);
    this.left = Math.min(this.left, glyph.x);
    this.right = Math.max(this.right, end);
    return true;
  }

  /** A word of which a part is clipped stays in one piece. */
  private isAsVisible({ visibility }: Glyph): boolean {
    const last = this.glyphs.at(-1)?.visibility;
    return visibility === last || (this.space === null && (visibility === 'clipped' || last === 'clipped'));
  }

  /** Whether the last letters stand alone: `N O T E`. */
  private isSpacedOut(): boolean {
    return [-2, -4].every((index) => this.glyphs.at(index)?.text === ' ');
  }

  close(): GlyphRun[] {
    const isOrdered = !this.glyphs.some(({ text }) => hasRightToLeft(text));
    const glyphs = isOrdered ? this.glyphs : fromLeftToRight(this.glyphs);
    const runs = splitAtFillers(spacedLettersJoined(glyphs)).map(runOf);
    const last = runs.at(-1);
    // A space that is drawn at the end separates words, however close the next one is.
    if (last !== undefined && isOrdered && this.space !== null)
      runs[runs.length - 1] = { ...last, run: { ...last.run, text: `${last.run.text} ` } };
    return runs;
  }
}

/** Whether a glyph is drawn again at the same place, and is not the second letter of `ll`. */
export function isOverprint(glyph: Glyph, other: Glyph): boolean {
  const shift = Math.min(glyph.fontSize * MAX_SHIFT, glyph.width / 2);
  return glyph.text === other.text && Math.abs(glyph.x - other.x) <= shift;
}

/** The space that the file adds between two characters. Some programs separate numbers with much of it. */
function spacingBetween(before: Glyph | undefined, { text, letterSpacing, fontSize }: Glyph): number {
  const isWithinWord = LETTER.test(text) && LETTER.test(before?.text ?? '');
  const limit = fontSize * (isWithinWord ? MAX_LETTER_SPACING : MAX_NUMBER_SPACING);
  return letterSpacing > 0 && letterSpacing < limit ? letterSpacing : 0;
}

/** Makes a run of glyphs from left to right. */
export function runOf(glyphs: readonly Glyph[]): GlyphRun {
  const [first] = glyphs;
  if (first === undefined) throw new RangeError('a run has glyphs');
  const visual = glyphs.map(({ text }) => text).join('');
  const isRightToLeft = isMostlyRightToLeft(visual);
  const isMixed = isRightToLeft || hasRightToLeft(visual);
  const ordered = isMixed ? inLogicalOrder(glyphs, ({ text }) => text, isRightToLeft) : glyphs;
  const left = Math.min(...glyphs.map(({ x }) => x));
  const right = Math.max(...glyphs.map(({ x, width }) => x + width));
  const run: TextRun = {
    text: isMixed ? ordered.map(({ text }) => normalized(text)).join('') : normalized(visual),
    x: left,
    y: first.y,
    width: right - left,
    fontSize: first.fontSize,
    font: first.font.id,
    isMonospaced: first.font.isMonospaced,
    isRightToLeft,
    quarterTurns: first.quarterTurns,
  };
  return { run, glyphs };
}

function normalized(text: string): string {
  return PRESENTATION_FORM.test(text) ? text.normalize('NFKC') : text;
}

/** Sorts by position. A mark follows the letter at which it is drawn, as in logical order. */
function fromLeftToRight(glyphs: readonly Glyph[]): Glyph[] {
  const letters = glyphs
    .filter(({ text }) => !PLACED_MARK.test(text))
    .sort((one, other) => one.x - other.x || one.width - other.width);
  const marks = new Map<number, string>();
  for (const mark of glyphs) {
    if (!PLACED_MARK.test(mark.text)) continue;
    const at = letters.findLastIndex(({ x, text }) => text !== ' ' && x <= mark.x + mark.fontSize * 0.02);
    const index = Math.max(0, at);
    marks.set(index, (marks.get(index) ?? '') + mark.text);
  }
  if (marks.size === 0) return letters;
  return letters.map((letter, index) => ({ ...letter, text: letter.text + (marks.get(index) ?? '') }));
}

/** Splits `Name: ______ Date: ______`, so that an entry that is drawn over a line is beside its label. */
function splitAtFillers(glyphs: readonly Glyph[]): Glyph[][] {
  const parts: Glyph[][] = [];
  let part: Glyph[] = [];
  const end = (): void => {
    while (part.at(-1)?.text === ' ') part.pop();
    while (part[0]?.text === ' ') part.shift();
    if (part.length > 0) parts.push(part);
    part = [];
  };
  for (let index = 0; index < glyphs.length;) {
    let after = index;
    while (after < glyphs.length && FILLER.test(glyphs[after]?.text ?? '')) after += 1;
    if (after - index >= MIN_FILLER) {
      end();
      part = glyphs.slice(index, after);
      end();
      index = after;
    } else {
      const glyph = glyphs[index];
      if (glyph !== undefined) part.push(glyph);
      index += 1;
    }
  }
  end();
  return parts;
}

const MIN_LETTERS = 4;
/** Gaps between words are wider than those between letters by at least this factor. */
const WORD_FACTOR = 1.5;
/** Not a ligature. */
const SPACED_LETTER = /^(?![\ufb00-\ufb06])[\p{Lu}\p{Ll}\p{Nd}]$/u;
/** At least four single letters, each written as `a` by {@link shapeOf}. */
const SPACED_LETTERS = /(?<![^ ])(?:a ){3,}a(?![a0])/g;

/** Removes the spaces within words whose letters are spaced out: `W A R R A N T Y`. */
function spacedLettersJoined(glyphs: readonly Glyph[]): readonly Glyph[] {
  const removed = new Set<Glyph>();
  for (const { 0: match, index } of glyphs.map(shapeOf).join('').matchAll(SPACED_LETTERS)) {
    const sequence = glyphs.slice(index, index + match.length);
    const gaps = sequence.filter(({ text }) => text === ' ');
    const limit = Math.min(...gaps.map(({ width }) => width)) * WORD_FACTOR;
    const letters = sequence.filter(({ text }) => text !== ' ').map(({ text }) => text);
    if (isWord(letters)) for (const gap of gaps) if (gap.width <= limit) removed.add(gap);
  }
  return removed.size === 0 ? glyphs : glyphs.filter((glyph) => !removed.has(glyph));
}

/** One character for a glyph. */
function shapeOf({ text }: Glyph): string {
  if (text === ' ') return text;
  if (SPACED_LETTER.test(text)) return 'a';
  return /^[\p{L}\p{N}]/u.test(text) ? '0' : '.';
}

/** Not `A B C D`, and not only numbers. */
function isWord(letters: readonly string[]): boolean {
  const codes = letters.map((letter) => letter.codePointAt(0) ?? 0);
  const isAlphabet = codes.every((code, index) => index === 0 || code === (codes[index - 1] ?? 0) + 1);
  return !isAlphabet && letters.filter((letter) => LETTER.test(letter)).length >= MIN_LETTERS;
}
