/**
 * Does some work for all items together. If that fails, does it for each item alone: an item that fails does not hold the
 * others up.
 *
 * @param work does its work for all of the items or for none; its results are in the order of the items
 * @param isCommon whether an error is that of every item, so that none is tried alone. Default: never
 * @returns the outcomes in the order of the items
 */
export async function togetherOrAlone<Item, Result>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  isCommon: (error: unknown) => boolean = () => false,
): Promise<PromiseSettledResult<Result>[]> {
  try {
    const results = await work(items);
    // `work` returns one result for each item.
    return items.map((_, index) => ({ status: 'fulfilled', value: results[index] as Result }));
  } catch (reason) {
    if (items.length <= 1 || isCommon(reason)) return items.map(() => ({ status: 'rejected', reason }));
    return (await Promise.all(items.map((item) => togetherOrAlone([item], work)))).flat();
  }
}
