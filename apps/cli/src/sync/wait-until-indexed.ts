import { setTimeout as sleep } from 'node:timers/promises';
import type { Citewell, Datasource } from '@citewell/sdk';
import { showProgress } from '../terminal/output.js';

const PAUSE_MS = 1_000;
const IN_PROGRESS = ['unsynched', 'running'] as const;
const FAILED = ['error', 'usage_limit_reached'] as const;

/** Waits until none of these datasources is in progress. Reads only those of the datastore that are. */
export async function waitUntilIndexed(
  client: Citewell,
  datastoreId: string,
  ids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  while (ids.size > 0 && (await isInProgress(client, datastoreId, ids, signal))) {
    const { total, statuses } = await client.datastores.progress(datastoreId, { signal });
    showProgress(`${statuses.synched} of ${total} documents are indexed`);
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

async function isInProgress(
  { datasources }: Citewell,
  datastoreId: string,
  ids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<boolean> {
  for (const status of IN_PROGRESS)
    for await (const { id, error } of datasources.list({ datastoreId, status, limit: 100 }, { signal }))
      // With an error, the run was cancelled.
      if (ids.has(id) && error === null) return true;
  return false;
}

/** The datasources of a datastore that could not be indexed, and whose custom ids begin with a prefix. */
export async function listFailed(
  { datasources }: Citewell,
  datastoreId: string,
  prefix: string,
): Promise<Datasource[]> {
  const failed: Datasource[] = [];
  for (const status of FAILED)
    for await (const datasource of datasources.list({ datastoreId, status, limit: 100 }))
      if (datasource.customId?.startsWith(prefix)) failed.push(datasource);
  return failed;
}
