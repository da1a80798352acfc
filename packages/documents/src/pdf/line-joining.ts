import type { Line, TextForm } from './pdf-lines.js';

/** A line that ends this much, as a share of the column's width, before its right edge was ended on purpose. */
const SHORT_LINE = 0.15;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、-〟！-｠]/u;

/**
 * Lines of one paragraph as text: words that were divided are whole again, lines that end early keep their end.
 *
 * @param form of the lines, with the addresses of links or without
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

/** Joins what the end of a full line divided. */
export function continueText(text: string, next: string): string {
  // A hyphen between small letters at the end of a full line is the typesetter's.
  if (/\p{Ll}[-\u00ad\u2010]$/u.test(text) && /^\p{Ll}/u.test(next)) return text.slice(0, -1) + next;
  // One after a digit or capital is the author's ("UTF-", "3-"): nothing comes between it and what follows.
  if (/[\p{L}\p{N}][-\u2010]$/u.test(text) && /^[\p{L}\p{N}]/u.test(next)) return text + next;
  // Between lines of Chinese and Japanese there is no space.
  const isUnspaced = UNSPACED.test(text.slice(-1)) && UNSPACED.test(next.slice(0, 1));
  return `${text}${isUnspaced ? '' : ' '}${next}`;
}
