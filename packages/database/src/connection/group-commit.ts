import { setImmediate } from 'node:timers/promises';
import { isDatabaseUnavailable } from './database-unavailable.js';

/** Most items in one group. */
const GROUP_SIZE = 64;

interface Submission<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item;
}

/**
 * Commits items in groups: items that are submitted in the same turn of the event loop, or while a group is being
 * committed, form the next group. A commit waits for the disk, and a statement for fifty rows costs little more than
 * one for one row.
 */
export class GroupCommit<Item, Result> {
  /** Waiting submissions by key. A key is present while a group of it is being committed. */
  private readonly waiting = new Map<string, Submission<Item, Result>[]>();

  /** @param commit commits all items of a group or none; its results are in the order of the items */
  constructor(private readonly commit: (key: string, items: readonly Item[]) => Promise<readonly Result[]>) {}

  /**
   * Commits an item with others.
   *
   * @param key items of different keys are never in one group
   * @throws what `commit` throws for this item alone: the items of a group that fails are committed one by
   * one, unless the database is unavailable
   */
  submit(key: string, item: Item): Promise<Result> {
    const submission = { item, ...Promise.withResolvers<Result>() };
    const waiting = this.waiting.get(key);
    if (waiting !== undefined) waiting.push(submission);
    else {
      this.waiting.set(key, [submission]);
      void this.commitWaiting(key);
    }
    return submission.promise;
  }

  private async commitWaiting(key: string): Promise<void> {
    await setImmediate();
    for (let group = this.nextGroup(key); group.length > 0; group = this.nextGroup(key))
      await this.commitGroup(key, group);
    this.waiting.delete(key);
  }

  private nextGroup(key: string): Submission<Item, Result>[] {
    return this.waiting.get(key)?.splice(0, GROUP_SIZE) ?? [];
  }

  private async commitGroup(key: string, group: readonly Submission<Item, Result>[]): Promise<void> {
    const items = group.map(({ item }) => item);
    const outcomes = await togetherOrAlone(items, (some) => this.commit(key, some), isDatabaseUnavailable);
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome?.status === 'fulfilled') resolve(outcome.value);
      else reject(outcome?.reason);
    }
  }
}

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
