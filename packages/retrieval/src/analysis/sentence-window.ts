/** A range of UTF-16 offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** A single line break inside a sentence, as in wrapped text. The segmenter would end the sentence there. */
const WRAPPED_LINE = /(?<=[^\n.!?:;。！？])\n[^\S\n]*(?=[\p{Ll}\p{Nd}(])/gu;

/** Returns the non-empty sentences of a text in order, without surrounding white space. */
export function sentencesOf(text: string): Range[] {
  // A line break is replaced by as many spaces as it has characters, so that the offsets stay valid.
  const unwrapped = text.replace(WRAPPED_LINE, (line) => ' '.repeat(line.length));
  const sentences: Range[] = [];
  for (const { index, segment } of segmenter.segment(unwrapped)) {
    const range = trimmed(text, { start: index, end: index + segment.length });
    if (range.start < range.end) sentences.push(range);
  }
  return sentences;
}

/** A narrower match is extended by one sentence of context. */
const SHORT_MATCH = 60;

/**
 * Returns the first sentences of a text that fit into `maxWidth` (see `widthOf`). If not even the first one
 * fits, it is truncated between words.
 */
export function introduction(text: string, sentences: readonly Range[], maxWidth: number): Range {
  const [first] = sentences;
  if (first === undefined) return { start: 0, end: 0 };
  const { start } = first;
  const last = sentences.findLast(
    ({ end }) => end - start <= maxWidth && widthOf(text.slice(start, end)) <= maxWidth,
  );
  return last ? { start, end: last.end } : truncateAround(text, first, start, maxWidth);
}

export interface WindowOptions {
  /** See `widthOf`. */
  readonly maxWidth: number;
  /** Whether a short match gets context. */
  readonly isProse: boolean;
  /** Returns the offset in the text around which a sentence is truncated. */
  readonly focus: (sentence: Range) => number;
}

/**
 * Returns the window of sentences around the one with the highest score, within `maxWidth` (see `widthOf`).
 * Adjacent sentences with a score are added while they fit: the one with the higher score first, the
 * following one if both are equal. A match narrower than 60 without such a neighbour gets one sentence of
 * context. The window stays within its paragraph. A single sentence that is too wide is truncated between
 * words.
 * @param scores score of each sentence, 0 or more
 */
export function bestWindow(
  text: string,
  sentences: readonly Range[],
  scores: readonly number[],
  { maxWidth, isProse, focus }: WindowOptions,
): Range {
  const best = scores.reduce((top, score, index) => (score > (scores[top] ?? 0) ? index : top), 0);
  const sentence = sentences[best];
  if (sentence === undefined) return { start: 0, end: 0 };
  const widthFrom = (start: number, end: number): number => widthOf(text.slice(start, end));
  if (widthFrom(sentence.start, sentence.end) > maxWidth) {
    return truncateAround(text, sentence, focus(sentence), maxWidth);
  }
  let { start, end } = sentence;
  let [first, last] = [best, best];
  let needsContext = isProse && widthFrom(start, end) < SHORT_MATCH;
  for (;;) {
    const next = sentences[last + 1];
    const previous = sentences[first - 1];
    const nextFits =
      next && !hasParagraphBreak(text, end, next.start) && widthFrom(start, next.end) <= maxWidth;
    const previousFits =
      previous && !hasParagraphBreak(text, previous.end, start) && widthFrom(previous.start, end) <= maxWidth;
    const nextScore = nextFits ? (scores[last + 1] ?? 0) : -1;
    const previousScore = previousFits ? (scores[first - 1] ?? 0) : -1;
    const bestScore = Math.max(nextScore, previousScore);
    if (bestScore < 0 || (bestScore === 0 && !needsContext)) return { start, end };
    needsContext = false;
    if (next && nextScore >= previousScore) {
      end = next.end;
      last++;
    } else if (previous) {
      start = previous.start;
      first--;
    }
  }
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const WIDE_CHARACTERS = new RegExp(WIDE, 'gu');

/** Reading length of a text: its UTF-16 code units, with 3 per Chinese, Japanese or Korean character. */
export function widthOf(text: string): number {
  return text.length + 2 * (text.match(WIDE_CHARACTERS)?.length ?? 0);
}

/** Whether there is a blank line between the two offsets. */
function hasParagraphBreak(text: string, start: number, end: number): boolean {
  return /\n[^\S\n]*\n/.test(text.slice(start, end).replace(/\r\n?/g, '\n'));
}

/** Truncates a range to `maxWidth`, between words if possible. About a third of it precedes the focus. */
function truncateAround(text: string, { start, end }: Range, focus: number, maxWidth: number): Range {
  const width = (index: number): number => (WIDE.test(text.charAt(index)) ? 3 : 1);
  let remaining = maxWidth;
  let from = Math.min(focus, end);
  const widthAfterFocus = maxWidth - Math.floor(maxWidth / 3);
  while (from > start && remaining - width(from - 1) >= widthAfterFocus) remaining -= width(--from);
  let to = from;
  remaining = maxWidth;
  while (to < end && remaining >= width(to)) remaining -= width(to++);
  while (from > start && remaining >= width(from - 1)) remaining -= width(--from);
  const space = text.indexOf(' ', from);
  const lastSpace = text.lastIndexOf(' ', to);
  const range = {
    start: from > start && space >= 0 && space < focus ? space + 1 : from,
    end: to < end && lastSpace > focus ? lastSpace : to,
  };
  return trimmed(text, wholeCharacters(text, range));
}

/** Moves bounds that would split a surrogate pair. */
function wholeCharacters(text: string, { start, end }: Range): Range {
  const isLow = (index: number): boolean =>
    text.charCodeAt(index) >= 0xdc00 && text.charCodeAt(index) < 0xe000;
  return { start: isLow(start) ? start + 1 : start, end: isLow(end) ? end - 1 : end };
}

function trimmed(text: string, { start, end }: Range): Range {
  const slice = text.slice(start, end);
  const lead = slice.length - slice.trimStart().length;
  return { start: start + lead, end: Math.max(start + lead, start + slice.trimEnd().length) };
}
