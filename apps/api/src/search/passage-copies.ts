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
  const shown = passages.filter((passage) => !copies.has(passage));
  const shownIds = new Set(shown.map(({ id }) => id));
  return shown.map((passage) => {
    const own = [...copies].filter(([, first]) => first === passage).map(([copy]) => copy);
    // Several questions may have left out the same ones, and one that another shows.
    const all = new Map([...(passage.copies ?? []), ...own].map((copy) => [copy.id, copy]));
    const others = [...all.values()].filter(({ id }) => !shownIds.has(id));
    return others.length === 0 && passage.copies === undefined ? passage : { ...passage, copies: others };
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
