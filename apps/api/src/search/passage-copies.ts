import type { FoundPassage } from './retriever.service.js';

/** Equal texts have so many places. Two documents may have the same text on purpose, and both are shown. */
export const COPIES_SHOWN = 2;

/**
 * Leaves out passages with the same words, in the same order, as {@link COPIES_SHOWN} before them. The first one names the
 * documents of those that are left out.
 *
 * @param passages best first
 */
export function withoutCopies<P extends Pick<FoundPassage, 'id' | 'text' | 'copies'>>(
  passages: readonly P[],
): P[] {
  const groups = Map.groupBy(passages, wordsOf);
  const copies = new Map(
    [...groups.values()].flatMap((group) =>
      group.slice(COPIES_SHOWN).map((copy) => [copy, group[0]] as const),
    ),
  );
  return passages
    .filter((passage) => !copies.has(passage))
    .map((passage) => {
      const own = [...copies].filter(([, first]) => first === passage).map(([copy]) => copy);
      if (own.length === 0) return passage;
      // Several questions may have left out the same ones.
      const all = new Map([...(passage.copies ?? []), ...own].map((copy) => [copy.id, copy]));
      for (const { id } of groups.get(wordsOf(passage))?.slice(0, COPIES_SHOWN) ?? []) all.delete(id);
      return { ...passage, copies: [...all.values()] };
    });
}

/** How many of the passages are shown. */
export function countShown(passages: readonly Pick<FoundPassage, 'text'>[]): number {
  const counts = new Map<string, number>();
  for (const passage of passages) {
    const words = wordsOf(passage);
    counts.set(words, Math.min(COPIES_SHOWN, (counts.get(words) ?? 0) + 1));
  }
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

function wordsOf({ text }: Pick<FoundPassage, 'text'>): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
