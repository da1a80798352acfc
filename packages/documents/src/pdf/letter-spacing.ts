import type { Glyph } from './glyph-reader.js';

const MIN_LETTERS = 4;
/** Gaps between words are wider than those between letters by at least this factor. */
const WORD_FACTOR = 1.5;
/** Not a ligature. */
const LETTER = /^(?![\ufb00-\ufb06])[\p{Lu}\p{Ll}\p{Nd}]$/u;

/** Removes the spaces within words whose letters are spaced out: `W A R R A N T Y`. */
export function spacedLettersJoined(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (glyphs.length < MIN_LETTERS * 2 - 1) return glyphs;
  const removed = new Set<number>();
  for (let begin = 0; begin < glyphs.length;) {
    const end = endOfSpaced(glyphs, begin);
    if (end - begin >= MIN_LETTERS * 2 - 1) markSpaces(glyphs, { begin, end }, removed);
    begin = Math.max(end, begin + 1);
  }
  return removed.size === 0 ? glyphs : glyphs.filter((_, index) => !removed.has(index));
}

/** The end of the sequence of single letters with spaces between them that begins at an index. */
function endOfSpaced(glyphs: readonly Glyph[], begin: number): number {
  const textAt = (index: number): string => glyphs[index]?.text ?? '';
  if (begin > 0 && textAt(begin - 1) !== ' ') return begin;
  let end = begin;
  while (LETTER.test(textAt(end)) && (textAt(end + 1) === ' ' || isEnd(textAt(end + 1)))) {
    if (textAt(end + 1) !== ' ' || !LETTER.test(textAt(end + 2))) return end + 1;
    end += 2;
  }
  // The letter after the last space begins an ordinary word.
  return Math.max(begin, end - 1);
}

function isEnd(text: string): boolean {
  return text === '' || /^[^\p{L}\p{N}]/u.test(text);
}

function markSpaces(
  glyphs: readonly Glyph[],
  { begin, end }: { begin: number; end: number },
  removed: Set<number>,
): void {
  const sequence = glyphs.slice(begin, end);
  if (
    !isWord(
      sequence
        .map(({ text }) => text)
        .join('')
        .replaceAll(' ', ''),
    )
  )
    return;
  const gaps = sequence.filter(({ text }) => text === ' ').map(({ width }) => width);
  const limit = Math.min(...gaps) * WORD_FACTOR;
  for (const [index, { text, width }] of sequence.entries())
    if (text === ' ' && width <= limit) removed.add(begin + index);
}

/** Not `A B C D`, and not only numbers. */
function isWord(letters: string): boolean {
  const codes = [...letters].map((letter) => letter.codePointAt(0) ?? 0);
  const isAlphabet = codes.every((code, index) => index === 0 || code === (codes[index - 1] ?? 0) + 1);
  return !isAlphabet && letters.replace(/\P{L}/gu, '').length >= MIN_LETTERS;
}
