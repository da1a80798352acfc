import type { Line, TextForm } from './pdf-lines.js';

/**
 * A line that ends before the right edge by more than this share of the column's width ends with a line
 * break.
 */
const SHORT_LINE = 0.15;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、-〟！-｠]/u;

/**
 * Joins the lines of a paragraph into text. Hyphenated words are rejoined; lines that end early keep their
 * line break.
 *
 * @param form which text of the lines to use: with or without link addresses
 */
export function joinLines(lines: readonly Line[], form: TextForm): string {
  const left = Math.min(...lines.map((line) => line.left));
  const right = Math.max(...lines.map((line) => line.right));
  let text = '';
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    if (above === undefined) text = line[form];
    else if (line.isEntry || above.isEntry || right - above.right > (right - left) * SHORT_LINE)
      text += `\n${line[form]}`;
    else text = continueText(text, line[form]);
  }
  return text;
}

/** Appends the next line to the text of a full line. */
export function continueText(text: string, next: string): string {
  // A hyphen between lower-case letters comes from hyphenation: remove it.
  if (/\p{Ll}[-\u00ad\u2010]$/u.test(text) && /^\p{Ll}/u.test(next)) return text.slice(0, -1) + next;
  // Another hyphen ("UTF-", "3-") is part of the word: keep it and add no space.
  if (/[\p{L}\p{N}][-\u2010]$/u.test(text) && /^[\p{L}\p{N}]/u.test(next)) return text + next;
  // Chinese and Japanese have no spaces between words.
  const isUnspaced = UNSPACED.test(text.slice(-1)) && UNSPACED.test(next.slice(0, 1));
  return `${text}${isUnspaced ? '' : ' '}${next}`;
}
