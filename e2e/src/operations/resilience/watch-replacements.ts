import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { ProductClient } from '@citewell/testing/product';
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
export async function watchReplacements(client: ProductClient, replacements: number): Promise<void> {
  const datastoreId = await client.createDatastore('visible');
  const documents = Array.from({ length: PERMANENT_TEXTS }, (_, index) => ({
    name: `permanent-${index}`,
    text: textOfRevision(`permanent-${index}`, 0),
  }));
  const permanent = await client.createTexts(datastoreId, documents);
  await waitUntilFinished(client, datastoreId);
  const chunks = (await client.query(datastoreId, MARKER, { datasourceIds: permanent.slice(0, 1) })).length;
  // With fewer chunks, a partial result could not be told.
  expect(chunks).toBeGreaterThan(3);

  const reader = new VisibilityReader(client, datastoreId, permanent, chunks);
  const stop = new AbortController();
  // A failed reader stops the writers too.
  const reading = Promise.all(
    Array.from({ length: READERS }, () => reader.read(stop.signal).finally(() => stop.abort())),
  );
  try {
    await Promise.all([
      ...permanent.map((id, index) =>
        replace(client, datastoreId, id, `permanent-${index}`, replacements, stop.signal),
      ),
      createAndDelete(client, datastoreId, reader, replacements, stop.signal),
    ]);
  } finally {
    stop.abort();
    await reading;
  }
  report(`${reader.reads} reads, ${reader.switches} switches observed, ${chunks} chunks each`);
  expect(reader.switches).toBeGreaterThan(replacements);
}

async function replace(
  client: ProductClient,
  datastoreId: string,
  id: string,
  name: string,
  times: number,
  signal: AbortSignal,
): Promise<void> {
  for (let revision = 1; revision <= times && !signal.aborted; revision += 1) {
    await client.replaceText(datastoreId, id, textOfRevision(name, revision));
    // Every fourth revision is replaced before it serves.
    if (revision % 4 === 0) await sleep(20);
    else await untilSynched(client, id, signal);
  }
}

async function createAndDelete(
  client: ProductClient,
  datastoreId: string,
  reader: VisibilityReader,
  times: number,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 1; round <= times && !signal.aborted; round += 1) {
    const [id = ''] = await client.createTexts(datastoreId, [
      { name: `deleted-${round}`, text: textOfRevision(`deleted-${round}`, round) },
    ]);
    // Every third text is deleted while it is being indexed.
    if (round % 3 === 0) await sleep(round * 5);
    else await untilSynched(client, id, signal);
    await client.remove(id);
    reader.markDeleted(id);
  }
}

async function untilSynched(client: ProductClient, id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await client.datasource(id)).status !== 'synched') await sleep(15);
}
