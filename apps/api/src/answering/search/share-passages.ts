import { withoutCopies } from './passage-copies.js';
import type { FoundPassage } from './retriever.service.js';

/**
 * Merges the passages of several questions so that each question gets its share: first the best passage of each, then the
 * second of each, and so on. A passage that several have found comes once, with the highest of its scores. Copies of a text
 * have as many places as in one ranking.
 *
 * @param rankings one for each question, best passage first
 */
export function sharePassages<P extends Pick<FoundPassage, 'id' | 'text' | 'score' | 'copies'>>(
  rankings: readonly (readonly P[])[],
): P[] {
  const shared = new Map<string, P>();
  const depth = Math.max(0, ...rankings.map(({ length }) => length));
  for (let rank = 0; rank < depth; rank += 1) {
    for (const ranking of rankings) {
      const passage = ranking[rank];
      if (passage === undefined) continue;
      const known = shared.get(passage.id);
      const copies = [...(known?.copies ?? []), ...(passage.copies ?? [])];
      const best = known !== undefined && known.score >= passage.score ? known : passage;
      shared.set(passage.id, copies.length === 0 ? best : { ...best, copies });
    }
  }
  return withoutCopies([...shared.values()]);
}
