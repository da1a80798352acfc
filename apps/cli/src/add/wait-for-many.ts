import { setTimeout as sleep } from 'node:timers/promises';
import type { Citewell, Datasource } from '@citewell/sdk';

const PAGE_SIZE = 100;
/** Pause after each reading of the list, for each page that was read. */
const PAUSE_MS = 500;

export interface WaitForManyOptions {
  datastoreId: string;
  /** Called after each reading of the list with the number of datasources that have ended. */
  onProgress(ended: number): void;
  signal?: AbortSignal;
  /** Default 500. */
  pauseMs?: number;
}

/**
 * Waits until new datasources are synched, have failed, or are cancelled or deleted. The service limits the requests
 * per minute. New datasources are at the top of the list of the datastore, so one request is enough for 100 of them.
 *
 * @returns those that are synched, by id
 */
export async function waitForMany(
  client: Pick<Citewell, 'datasources'>,
  ids: readonly string[],
  { datastoreId, onProgress, signal, pauseMs = PAUSE_MS }: WaitForManyOptions,
): Promise<Map<string, Datasource>> {
  const synched = new Map<string, Datasource>();
  const [oldest = ''] = ids.toSorted();
  let unfinished: ReadonlySet<string> = new Set(ids);
  for (;;) {
    const inProgress = new Set<string>();
    let listed = 0;
    for await (const datasource of client.datasources.list({ datastoreId, limit: PAGE_SIZE })) {
      const { id, status, error } = datasource;
      if (id < oldest) break;
      listed += 1;
      if (!unfinished.has(id)) continue;
      if (status === 'synched') synched.set(id, datasource);
      // With an error, the first run was cancelled.
      else if (status === 'running' || (status === 'unsynched' && !error)) inProgress.add(id);
    }
    unfinished = inProgress;
    onProgress(ids.length - unfinished.size);
    if (unfinished.size === 0) return synched;
    await sleep(pauseMs * Math.ceil((listed + 1) / PAGE_SIZE), undefined, signal ? { signal } : {});
  }
}
