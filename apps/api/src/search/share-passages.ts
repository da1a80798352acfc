/**
 * Merges the passages of several questions so that each question gets its share: first the best passage of each, then the
 * second of each, and so on. A passage that several have found comes once.
 *
 * @param rankings one for each question, best passage first
 */
export function sharePassages<P extends { readonly id: string }>(rankings: readonly (readonly P[])[]): P[] {
  const shared = new Map<string, P>();
  const depth = Math.max(0, ...rankings.map(({ length }) => length));
  for (let rank = 0; rank < depth; rank += 1) {
    for (const ranking of rankings) {
      const passage = ranking[rank];
      if (passage !== undefined && !shared.has(passage.id)) shared.set(passage.id, passage);
    }
  }
  return [...shared.values()];
}
