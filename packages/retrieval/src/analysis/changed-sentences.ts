import { sentencesOf } from './sentence-window.js';

/** The sentences in which two versions of a text differ, in the order of the text. */
export interface ChangedSentences {
  /** The first of those that only the new version has. A long one is truncated. */
  readonly added: readonly string[];
  /** The first of those that only the former version has. */
  readonly removed: readonly string[];
  readonly addedCount: number;
  readonly removedCount: number;
}

const MAX_SENTENCES = 20;
const MAX_LENGTH = 300;
/** Characters before the first difference that a truncated sentence shows. */
const CONTEXT = 100;
const PARAGRAPH_BREAK = /\n[^\S\n]*\n/;

/**
 * Compares two versions of a text. A sentence that has only moved has not changed, and neither has one with other white
 * space. Takes time that is linear in the length of the texts.
 */
export function changedSentences(before: string, after: string): ChangedSentences {
  // Finding sentences is slow: paragraphs that both texts have are left out before.
  const [old, recent] = [before.split(PARAGRAPH_BREAK), after.split(PARAGRAPH_BREAK)];
  const formerSentences = textsOf(without(old, recent));
  const newSentences = textsOf(without(recent, old));
  const [added, removed] = [without(newSentences, formerSentences), without(formerSentences, newSentences)];
  return {
    added: added.slice(0, MAX_SENTENCES).map((sentence, at) => truncated(sentence, removed[at])),
    removed: removed.slice(0, MAX_SENTENCES).map((sentence, at) => truncated(sentence, added[at])),
    addedCount: added.length,
    removedCount: removed.length,
  };
}

/** The items without those of the others: an item that is three times in one and once in the other remains twice. */
function without(items: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return items.filter((item) => {
    const count = left.get(item) ?? 0;
    if (count > 0) left.set(item, count - 1);
    return count === 0;
  });
}

/**
 * The sentences of paragraphs, which are joined, because each call of the segmenter is slow. What is longer, such as a table
 * without full stops, is compared by lines.
 */
function textsOf(paragraphs: readonly string[]): string[] {
  const text = paragraphs.join('\n\n');
  return sentencesOf(text)
    .map(({ start, end }) => text.slice(start, end))
    .flatMap((sentence) => (sentence.length > MAX_LENGTH ? sentence.split('\n') : [sentence]))
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');
}

/** Truncates a long sentence so that the first difference to the other one is shown. Surrogate pairs stay whole. */
function truncated(sentence: string, other = ''): string {
  if (sentence.length <= MAX_LENGTH) return sentence;
  let same = 0;
  while (same < sentence.length && sentence[same] === other[same]) same += 1;
  const length = MAX_LENGTH - 2;
  const start = Math.max(0, Math.min(same - CONTEXT, sentence.length - length));
  const shown = sentence.slice(start, start + length).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  return `${start > 0 ? '…' : ''}${shown}${start + length < sentence.length ? '…' : ''}`;
}
