import type { TextRun } from './text-run.js';

/** A word of a run without surrounding punctuation, and its approximate position. */
export interface RunWord {
  /** Offset in the run's text. */
  readonly start: number;
  readonly end: number;
  readonly left: number;
  readonly right: number;
}

/** Each character of a script without spaces counts as a word. */
const PIECE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;
const OPENING = '("\'<[{«‘“„‹';
const CLOSING = '!"\'),.:;>?]}»’”›';

/** Splits a run into words. The engine reports only the width of the run; that of letters is estimated. */
export function wordsOf({ text, x, width, isMonospaced, isRightToLeft }: TextRun): RunWord[] {
  const offsets = [0];
  for (let index = 0; index < text.length; index += 1) {
    const letter = text.charAt(index);
    offsets.push((offsets[index] ?? 0) + (isMonospaced ? 1 : widthOf(letter)));
  }
  const scale = width / (offsets.at(-1) || 1);
  const distance = (index: number): number => (offsets[index] ?? 0) * scale;
  const words: RunWord[] = [];
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const { start, end } = withoutPunctuation(piece);
    if (start >= end) continue;
    const from = distance(index + start);
    const to = distance(index + end);
    words.push({
      start: index + start,
      end: index + end,
      left: isRightToLeft ? x + width - to : x + from,
      right: isRightToLeft ? x + width - from : x + to,
    });
  }
  return words;
}

/** The range of the words that lie mostly between two x coordinates; null when there are none. */
export function wordsBetween(
  words: readonly RunWord[],
  left: number,
  right: number,
): { readonly start: number; readonly end: number } | null {
  const inside = words.filter((word) => {
    const overlap = Math.min(right, word.right) - Math.max(left, word.left);
    return overlap > Math.min(right - left, word.right - word.left) / 2;
  });
  const [first] = inside;
  const last = inside.at(-1);
  return first === undefined || last === undefined ? null : { start: first.start, end: last.end };
}

/** Removes surrounding punctuation. A closing parenthesis stays if the word has an opening one: `sum(a)`. */
function withoutPunctuation(piece: string): { start: number; end: number } {
  let [start, end] = [0, piece.length];
  while (start < end && OPENING.includes(piece.charAt(start))) start += 1;
  const isCall = piece.includes('(', start);
  while (start < end) {
    const letter = piece.charAt(end - 1);
    if (!CLOSING.includes(letter) || (letter === ')' && isCall)) break;
    end -= 1;
  }
  return { start, end };
}

/** Typical width of a character relative to a lower-case letter. */
function widthOf(letter: string): number {
  if (/[\s!'(),./:;I[\]fijlrt|‘’]/.test(letter)) return 0.6;
  if (/[%@MWmw—]/.test(letter)) return 1.6;
  if (/\p{Lu}/u.test(letter)) return 1.3;
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(letter) ? 2 : 1;
}
