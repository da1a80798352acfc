/** The ids of `asked` that are among the term ids of a point, in the order of `asked`. */
export function commonTerms(asked: readonly number[], ofPoint: Iterable<number>): number[] {
  const present = new Set(ofPoint);
  return asked.filter((term) => present.has(term));
}
