/**
 * The lower-case words of a text: runs of letters, marks and digits. In Han, Kana and Thai each character is
 * a word. Greek letters do not form words with Latin ones, because of formulas.
 */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
}

const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|\p{Script=Greek}+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Greek}])[\p{L}\p{M}\p{N}])+/gu;

/** Share of the reference's words, with multiplicity, that the text contains; 1 for an empty reference. */
export function recall(reference: readonly string[], words: readonly string[]): number {
  return reference.length === 0 ? 1 : common(reference, words) / reference.length;
}

/** F1 of two multisets. */
export function f1(reference: readonly string[], items: readonly string[]): number {
  const both = common(reference, items);
  return reference.length + items.length === 0 ? 1 : (2 * both) / (reference.length + items.length);
}

/** Pairs of adjacent words. */
export function pairsOf(words: readonly string[]): string[] {
  return words.slice(1).map((word, index) => `${words[index]} ${word}`);
}

/** Items of the reference that are missing, as `item×count`, most frequent first. */
export function missing(reference: readonly string[], items: readonly string[]): string[] {
  const counts = countsOf(items);
  const absent = new Map<string, number>();
  for (const item of reference) {
    const left = counts.get(item) ?? 0;
    if (left > 0) counts.set(item, left - 1);
    else absent.set(item, (absent.get(item) ?? 0) + 1);
  }
  return [...absent].sort(([, a], [, b]) => b - a).map(([item, times]) => `${item}×${times}`);
}

/** Number of items that both multisets have. */
export function common(reference: readonly string[], items: readonly string[]): number {
  const counts = countsOf(items);
  let both = 0;
  for (const item of reference) {
    const left = counts.get(item) ?? 0;
    if (left === 0) continue;
    counts.set(item, left - 1);
    both += 1;
  }
  return both;
}

function countsOf(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
