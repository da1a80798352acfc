import { graphemeBoundary } from '../document/safe-cut.js';

/**
 * Words per window. The names of vector spaces contain this number, because vectors of other windows cannot be
 * compared.
 */
export const WINDOW_WORDS = 60;

/** Scripts without spaces between words. Two of their characters count as a word. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const WORD = new RegExp(`(?<character>[${UNSPACED}])|[^\\s${UNSPACED}]+`, 'gu');

/**
 * Divides the text of a chunk into windows with equal numbers of words, about {@link WINDOW_WORDS} each. A
 * window ends before a word, or before any character of a script without spaces. A text without words is one
 * window.
 */
export function windowsOf(text: string): string[] {
  const words: { readonly at: number; readonly before: number }[] = [];
  let total = 0;
  for (const { index, groups } of text.matchAll(WORD)) {
    words.push({ at: index, before: total });
    total += groups?.['character'] === undefined ? 1 : 0.5;
  }
  const count = Math.max(1, Math.round(total / WINDOW_WORDS));
  const windows: string[] = [];
  let start = 0;
  let next = 0;
  for (let window = 1; window < count; window += 1) {
    while ((words[next]?.before ?? total) < (window * total) / count) next += 1;
    const at = words[next]?.at ?? text.length;
    const boundary = graphemeBoundary(text, start, at);
    // A grapheme as long as a window occurs only in hostile text.
    const end = boundary > start ? boundary : at;
    windows.push(text.slice(start, end).trim());
    start = end;
  }
  return [...windows, text.slice(start).trim()];
}
