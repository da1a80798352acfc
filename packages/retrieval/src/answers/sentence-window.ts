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

/**
 * The run of sentences around the one with the highest value, no longer than `maxLength` UTF-16 units:
 * neighbours are added while they fit, the one of more value first and the following before the preceding.
 * A single sentence that is longer is cut between words, around `focus` (an offset into the text).
 */
export function bestWindow(
  text: string,
  sentences: readonly Range[],
  values: readonly number[],
  maxLength: number,
  focus: (sentence: Range) => number,
): Range {
  const best = values.reduce((top, value, index) => (value > (values[top] ?? 0) ? index : top), 0);
  const sentence = sentences[best];
  if (sentence === undefined) return { start: 0, end: 0 };
  if (sentence.end - sentence.start > maxLength) return cutAround(text, sentence, focus(sentence), maxLength);
  let [first, last] = [best, best];
  for (;;) {
    const length = (from: number, to: number): number =>
      (sentences[to]?.end ?? Infinity) - (sentences[from]?.start ?? -Infinity);
    const after = length(first, last + 1) <= maxLength ? (values[last + 1] ?? -1) : -1;
    const before = length(first - 1, last) <= maxLength ? (values[first - 1] ?? -1) : -1;
    if (after < 0 && before < 0) break;
    if (after >= before) last++;
    else first--;
  }
  return { start: sentences[first]?.start ?? sentence.start, end: sentences[last]?.end ?? sentence.end };
}

function cutAround(text: string, { start, end }: Range, focus: number, maxLength: number): Range {
  const from = Math.max(start, Math.min(focus - Math.floor(maxLength / 3), end - maxLength));
  const to = Math.min(end, from + maxLength);
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
