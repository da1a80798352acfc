/** The end of a line of a table of contents or an index, from its last character: page numbers, then a leader or a comma. */
const REVERSED_END = /^\d+(?: ?[,–-]\d+)*\s*(?:…|\.{3}|(?: \.){3}|,)/;
const MIN_LINES = 5;
/** Longer lines are prose. */
const MAX_LINE = 300;

/**
 * Whether the text of a chunk is part of a table of contents or of an index: at least half of its lines, and five or more
 * of them, end with page numbers. Such a chunk contains the words of many questions and answers none.
 */
export function isListing(text: string): boolean {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  if (lines.length < MIN_LINES) return false;
  const entries = lines.filter((line) => line.length <= MAX_LINE && isEntry(line));
  return entries.length * 2 >= lines.length;
}

/** Whether a line is words, then a leader or a comma, then page numbers. */
function isEntry(line: string): boolean {
  if (!/\d$/.test(line)) return false;
  const end = REVERSED_END.exec(Array.from(line).toReversed().join(''))?.[0];
  return end !== undefined && /\p{L}/u.test(line.slice(0, -end.length));
}
