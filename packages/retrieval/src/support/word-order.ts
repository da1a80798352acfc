/** A smaller share of the pairs of adjacent words of a statement, or one pair, may be in another order in the passage. */
const MAX_OUT_OF_ORDER = 0.5;
/** How far apart the words of such a pair may be in the passage. */
const MAX_DISTANCE = 4;

/** The pairs of adjacent words, each with how often it occurs. */
export function pairsOf(words: readonly string[]): Map<string, number> {
  const pairs = new Map<string, number>();
  for (const [index, word] of words.slice(1).entries()) {
    const pair = `${words[index]} ${word}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Whether the pairs are near to each other in a sequence of words, except for one or a few. */
export function isInOrder(pairs: ReadonlyMap<string, number>, sequence: readonly string[]): boolean {
  const near = new Set<string>();
  for (const [at, term] of sequence.entries()) {
    near.add(`${term} ${term}`);
    for (const other of sequence.slice(at + 1, at + 1 + MAX_DISTANCE)) near.add(`${term} ${other}`);
  }
  let count = 0;
  let broken = 0;
  for (const [pair, times] of pairs) {
    count += times;
    if (!near.has(pair)) broken += times;
  }
  return broken <= 1 || broken < count * MAX_OUT_OF_ORDER;
}
