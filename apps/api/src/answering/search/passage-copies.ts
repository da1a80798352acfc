import type { FoundPassage } from './retriever.service.js';

/** Passages with equal text in a result. Two documents may have the same text on purpose, so both are shown. */
export const COPIES_SHOWN = 2;
/** Characters, without repeated white space. */
const BEGINNING = 40;

/**
 * Leaves out passages with the same words, in the same order, as {@link COPIES_SHOWN} before them. The first one names the
 * documents of those that are left out.
 *
 * @param passages best first
 */
export function withoutCopies<P extends Pick<FoundPassage, 'id' | 'text' | 'copies'>>(
  passages: readonly P[],
): P[] {
  const groups = groupsOf(passages);
  const copies = new Map(
    groups.flatMap((group) => group.slice(COPIES_SHOWN).map((copy) => [copy, group[0]] as const)),
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
  return groupsOf(passages).reduce((shown, { length }) => shown + Math.min(length, COPIES_SHOWN), 0);
}

/** Passages with the same words. Only those that begin alike are compared as a whole. */
function groupsOf<P extends Pick<FoundPassage, 'text'>>(passages: readonly P[]): P[][] {
  const beginningOf = ({ text }: P): string => wordsOf(text.slice(0, 4 * BEGINNING)).slice(0, BEGINNING);
  return [...Map.groupBy(passages, beginningOf).values()].flatMap((group) =>
    group.length <= COPIES_SHOWN ? [group] : [...Map.groupBy(group, ({ text }) => wordsOf(text)).values()],
  );
}

function wordsOf(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
