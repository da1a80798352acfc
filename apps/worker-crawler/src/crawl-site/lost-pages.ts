import { BELIEVED_AFTER_MS, leastOfMany, type LostUrl } from '@citewell/database';

/**
 * Of the pages that nothing leads to any more, those that are not believed to be gone: where there are many at once, a
 * notice may be in the place of what led to them. Each is believed when nothing has led to it for long.
 *
 * @param kept how many pages the crawl has beside these
 */
export function doubtedOf(
  lost: readonly LostUrl[],
  kept: number,
  nowMs: number = Date.now(),
): readonly LostUrl[] {
  const newlyLost = lost.filter(({ lostSince }) => lostSince === null).length;
  const areMany = newlyLost >= leastOfMany(lost.length + kept);
  return lost.filter(({ lostSince }) =>
    lostSince === null ? areMany : nowMs - lostSince.getTime() < BELIEVED_AFTER_MS,
  );
}
