/** A range of UTF-16 offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** A single line break inside a sentence, as wrapped text has it: the segmenter would end the sentence there. */
const WRAPPED_LINE = /(?<=[^\n.!?:;。！？])\n(?=[\p{Ll}\p{Nd}(])/gu;

/** The sentences of a text in order, without the white space around them; empty ones are left out. */
export function sentencesOf(text: string): Range[] {
  // One character for one: the offsets stay those of the text.
  const unwrapped = text.replace(WRAPPED_LINE, ' ');
  const sentences: Range[] = [];
  for (const { index, segment } of segmenter.segment(unwrapped)) {
    const range = trimmed(text, { start: index, end: index + segment.length });
    if (range.start < range.end) sentences.push(range);
  }
  return sentences;
}

/** Longest line that can be a heading, as `widthOf` counts. */
const MAX_HEADING = 120;
/** A match of less width than this says little without a sentence beside it. */
const SHORT_MATCH = 60;

/** The first sentences of a text, as many as are no wider than `maxWidth`; at least one, cut between words. */
export function opening(text: string, sentences: readonly Range[], maxWidth: number): Range {
  const [first] = sentences;
  if (first === undefined) return { start: 0, end: 0 };
  const { start } = first;
  const last = sentences.findLast(({ end }) => widthOf(text.slice(start, end)) <= maxWidth);
  return last ? { start, end: last.end } : cutAround(text, first, start, maxWidth);
}

/**
 * The run of sentences around the one with the highest value, no wider than `maxWidth` (see `widthOf`):
 * neighbours that have a value are added while they fit, the one of more value first and the following before
 * the preceding. A match of less than 60 that finds none takes one sentence of context. A run stays within its
 * paragraph. A single sentence that is wider is cut between words, around `focus` (an offset into the text).
 */
export function bestWindow(
  text: string,
  sentences: readonly Range[],
  values: readonly number[],
  maxWidth: number,
  focus: (sentence: Range) => number,
): Range {
  const best = values.reduce((top, value, index) => (value > (values[top] ?? 0) ? index : top), 0);
  const sentence = sentences[best];
  if (sentence === undefined) return { start: 0, end: 0 };
  const widthFrom = (start: number, end: number): number => widthOf(text.slice(start, end));
  if (widthFrom(sentence.start, sentence.end) > maxWidth) {
    return cutAround(text, sentence, focus(sentence), maxWidth);
  }
  let { start, end } = sentence;
  let [first, last] = [best, best];
  let needsContext = widthFrom(start, end) < SHORT_MATCH;
  for (;;) {
    const next = sentences[last + 1];
    const previous = sentences[first - 1];
    const follows =
      next &&
      !isHeading(text, sentences, last + 1) &&
      !parts(text, end, next.start) &&
      widthFrom(start, next.end) <= maxWidth;
    const precedes =
      previous &&
      !isHeading(text, sentences, first - 1) &&
      !parts(text, previous.end, start) &&
      widthFrom(previous.start, end) <= maxWidth;
    const after = follows ? (values[last + 1] ?? 0) : -1;
    const before = precedes ? (values[first - 1] ?? 0) : -1;
    const most = Math.max(after, before);
    if (most < 0 || (most === 0 && !needsContext)) return { start, end };
    needsContext = false;
    if (next && after >= before) {
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

/** How long a text is to read: its UTF-16 units, a Chinese, Japanese or Korean character counting as three. */
function widthOf(text: string): number {
  return text.length + 2 * (text.match(WIDE_CHARACTERS)?.length ?? 0);
}

/** Whether what stands between two sentences, a blank line, ends a paragraph or a heading. */
function parts(text: string, start: number, end: number): boolean {
  return /\n[^\S\n]*\n/.test(text.slice(start, end).replace(/\r\n?/g, '\n'));
}

/**
 * Whether a sentence is a heading: a short line without an end, marked as one or alone between blank lines, and
 * followed by what it is the heading of.
 */
export function isHeading(text: string, sentences: readonly Range[], index: number): boolean {
  const sentence = sentences[index];
  const next = sentences[index + 1];
  if (sentence === undefined || next === undefined) return false;
  const line = text.slice(sentence.start, sentence.end);
  if (/^#{1,6}\s/.test(line)) return true;
  if (widthOf(line) > MAX_HEADING || /[\n.!?:;,。！？：；，、…]/u.test(line.slice(-1)) || line.includes('\n'))
    return false;
  const previous = sentences[index - 1];
  const opens = previous === undefined || parts(text, previous.end, sentence.start);
  return opens && parts(text, sentence.end, next.start);
}

function cutAround(text: string, { start, end }: Range, focus: number, maxWidth: number): Range {
  const width = (index: number): number => (WIDE.test(text.charAt(index)) ? 3 : 1);
  let room = maxWidth;
  let from = Math.min(focus, end);
  const lead = maxWidth - Math.floor(maxWidth / 3);
  while (from > start && room - width(from - 1) >= lead) room -= width(--from);
  let to = from;
  room = maxWidth;
  while (to < end && room >= width(to)) room -= width(to++);
  while (from > start && room >= width(from - 1)) room -= width(--from);
  const space = text.indexOf(' ', from);
  const lastSpace = text.lastIndexOf(' ', to);
  const range = {
    start: from > start && space >= 0 && space < focus ? space + 1 : from,
    end: to < end && lastSpace > focus ? lastSpace : to,
  };
  return trimmed(text, wholeCharacters(text, range));
}

/** Moves bounds that would cut a surrogate pair in half. */
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
