import { distance } from 'fastest-levenshtein';

/** The sentence "Did you mean …?" with a space before it; empty if none of the names is similar. */
export function didYouMean(written: string, names: readonly string[]): string {
  const maxEdits = Math.ceil(written.length / 3);
  const [nearest] = names
    .map((name) => ({ name, edits: distance(name, written) }))
    .filter(({ edits }) => edits <= maxEdits)
    .toSorted((a, b) => a.edits - b.edits);
  return nearest ? ` Did you mean ${nearest.name}?` : '';
}
