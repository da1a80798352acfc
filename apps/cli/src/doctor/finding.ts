/** Damage that a check found. */
export interface Finding {
  /** Describes the affected items, in the plural. It is followed by their number and ids. */
  problem: string;
  ids: readonly string[];
  /** Repairs the damage. Resolves to a sentence about what was done. Null if no repair is possible. */
  repair: (() => Promise<string>) | null;
  /** What to do if no repair is possible. */
  advice?: string;
}

/** Returns one finding for the affected items, or none if there are no items. */
export function findingsFor<Item>(
  problem: string,
  items: readonly Item[],
  idOf: (item: Item) => string,
  resolution: { repair: (items: readonly Item[]) => Promise<string> } | { advice: string },
): Finding[] {
  if (items.length === 0) return [];
  const ids = items.map(idOf);
  if ('advice' in resolution) return [{ problem, ids, repair: null, advice: resolution.advice }];
  return [{ problem, ids, repair: () => resolution.repair(items) }];
}
