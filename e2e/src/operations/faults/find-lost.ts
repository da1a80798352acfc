import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../../client/tenant.js';
import type { MixedLoad, StoredDocument } from './mixed-load.js';

const POLL_MS = 1_000;
const SEARCHES = 4;

/** A document that is not as its client expects. */
export interface LostDocument {
  readonly document: StoredDocument;
  readonly why: string;
}

/**
 * Compares the datastore with what a load that has stopped has stored and deleted: each document is there once, synched,
 * and the best hit of a search for its word.
 *
 * @param limitMs how long it may take until the last one is synched
 */
export async function findLost(
  load: MixedLoad,
  tenant: Tenant,
  datastoreId: string,
  limitMs: number,
): Promise<LostDocument[]> {
  const kept = load.documents.filter(({ isLeaving }) => !isLeaving);
  const deadline = performance.now() + limitMs;
  while (kept.some(({ synchedAt }) => synchedAt === null) && performance.now() < deadline) {
    await load.readStatuses();
    await sleep(POLL_MS);
  }
  const stored = await tenant.datasources(datastoreId);
  const byName = Map.groupBy(stored, ({ name }) => name.replace('.md', ''));
  const lost: LostDocument[] = [];
  for (const document of load.documents) {
    const found = byName.get(document.word) ?? [];
    const [first] = found;
    if (document.isLeaving ? found.length > 0 : found.length !== 1)
      lost.push({ document, why: `is stored ${found.length} times` });
    else if (first && first.status !== 'synched')
      lost.push({ document, why: `is ${first.status}: ${first.error?.message}` });
  }
  const queue = kept.values();
  const search = async (): Promise<void> => {
    for (const document of queue)
      if ((await load.finds(document)) !== true) lost.push({ document, why: 'is not found' });
  };
  await Promise.all(Array.from({ length: SEARCHES }, search));
  return lost;
}
