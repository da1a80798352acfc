import { isDatabaseUnavailable } from './database-unavailable.js';

/** Most that one group is made of. */
const GROUP_SIZE = 64;

interface Ask<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item;
}

/**
 * Carries out together what is asked for at the same time: what comes while a group is under way forms the next one. A
 * commit waits for the disk, and a statement costs much the same for one row and for fifty.
 */
export class GroupCommit<Item, Result> {
  /** What waits, by key; a key is there for as long as a group of it is under way. */
  private readonly lanes = new Map<string, Ask<Item, Result>[]>();

  /** @param work carries out a group of one key, all or none; results are in the order of the items */
  constructor(private readonly work: (key: string, items: readonly Item[]) => Promise<readonly Result[]>) {}

  /**
   * @param key items of different keys are never in one group
   * @throws what the work throws for this item alone: a group that fails is tried again one by one
   */
  ask(key: string, item: Item): Promise<Result> {
    const ask = { item, ...Promise.withResolvers<Result>() };
    const lane = this.lanes.get(key);
    if (lane !== undefined) lane.push(ask);
    else {
      this.lanes.set(key, [ask]);
      void this.empty(key);
    }
    return ask.promise;
  }

  private async empty(key: string): Promise<void> {
    for (let group = this.next(key); group.length > 0; group = this.next(key)) await this.settle(key, group);
    this.lanes.delete(key);
  }

  private next(key: string): Ask<Item, Result>[] {
    return this.lanes.get(key)?.splice(0, GROUP_SIZE) ?? [];
  }

  private async settle(key: string, group: readonly Ask<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(
        key,
        group.map(({ item }) => item),
      );
      // One for each item: the work's contract.
      group.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (group.length > 1 && !isDatabaseUnavailable(error)) {
        await Promise.all(group.map((ask) => this.settle(key, [ask])));
      } else {
        for (const { reject } of group) reject(error);
      }
    }
  }
}
