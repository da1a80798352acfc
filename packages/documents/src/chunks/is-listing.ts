/** A line of a table of contents or an index: words, then a leader or a comma, then page numbers. */
const ENTRY = /\p{L}.*(?:…|\.{3,}|(?:\. ){3}|,)\s*\d+(?:[,–-] ?\d+)*$/u;
const MIN_LINES = 5;
/** Longer lines are prose, and the expression would be slow on them. */
const MAX_LINE = 300;

/**
 * Whether the text of a chunk is part of a table of contents or of an index: at least half of its lines, and five or more
 * of them, end with page numbers. Such a chunk contains the words of many questions and answers none.
 */
export function isListing(text: string): boolean {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  if (lines.length < MIN_LINES) return false;
  const entries = lines.filter((line) => line.length <= MAX_LINE && ENTRY.test(line));
  return entries.length * 2 >= lines.length;
}
