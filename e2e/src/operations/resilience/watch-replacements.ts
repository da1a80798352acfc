import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Tenant } from '../../client/tenant.js';
import { report } from '../../report.js';
import { waitUntilFinished } from './ingestion.js';
import { MARKER, textOfRevision, VisibilityReader } from './visibility.reader.js';

const READERS = 2;
const PERMANENT_TEXTS = 2;

/**
 * Replaces some texts repeatedly, and creates and deletes others, while {@link VisibilityReader}s check every
 * response.
 *
 * @param replacements how often each permanent text is replaced
 */
export async function watchReplacements(tenant: Tenant, replacements: number): Promise<void> {
  const { id: datastoreId } = await tenant.datastore('visible');
  const documents = Array.from({ length: PERMANENT_TEXTS }, (_, index) => ({
    name: `permanent-${index}`,
    text: textOfRevision(`permanent-${index}`, 0),
  }));
  const permanent = await tenant.texts(datastoreId, documents);
  await waitUntilFinished(tenant, datastoreId);
  const chunks = (
    await tenant.search(datastoreId, MARKER, {
      topK: 100,
      filters: { datasource_ids: permanent.slice(0, 1) },
    })
  ).length;
  // With fewer chunks, a partial result could not be told.
  expect(chunks).toBeGreaterThan(3);

  const reader = new VisibilityReader(tenant, datastoreId, permanent, chunks);
  const stop = new AbortController();
  // A failed reader stops the writers too.
  const reading = Promise.all(
    Array.from({ length: READERS }, () => reader.read(stop.signal).finally(() => stop.abort())),
  );
  try {
    await Promise.all([
      ...permanent.map((id, index) =>
        replace(tenant, datastoreId, id, `permanent-${index}`, replacements, stop.signal),
      ),
      createAndDelete(tenant, datastoreId, reader, replacements, stop.signal),
    ]);
  } finally {
    stop.abort();
    await reading;
  }
  report(`${reader.reads} reads, ${reader.switches} switches observed, ${chunks} chunks each`);
  expect(reader.switches).toBeGreaterThan(replacements);
}

async function replace(
  tenant: Tenant,
  datastoreId: string,
  id: string,
  name: string,
  times: number,
  signal: AbortSignal,
): Promise<void> {
  for (let revision = 1; revision <= times && !signal.aborted; revision += 1) {
    await tenant.replaceText(datastoreId, id, textOfRevision(name, revision));
    // Every fourth revision is replaced before it serves.
    if (revision % 4 === 0) await sleep(20);
    else await untilSynched(tenant, id, signal);
  }
}

async function createAndDelete(
  tenant: Tenant,
  datastoreId: string,
  reader: VisibilityReader,
  times: number,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 1; round <= times && !signal.aborted; round += 1) {
    const [id = ''] = await tenant.texts(datastoreId, [
      { name: `deleted-${round}`, text: textOfRevision(`deleted-${round}`, round) },
    ]);
    // Every third text is deleted while it is being indexed.
    if (round % 3 === 0) await sleep(round * 5);
    else await untilSynched(tenant, id, signal);
    await tenant.remove(id);
    reader.markDeleted(id);
  }
}

async function untilSynched(tenant: Tenant, id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await tenant.datasource(id)).status !== 'synched') await sleep(15);
}
