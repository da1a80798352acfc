import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from './api.client.js';
import { untilSettled } from './ingestion.js';
import { MARKER, textOfRevision, VisibilityReader } from './visibility.reader.js';

const READERS = 2;
const LIVING = 2;

/**
 * Replaces texts again and again, and makes and deletes others, while readers look.
 *
 * @param replacements how often each living text is replaced
 */
export async function watchReplacements(
  client: ApiClient,
  replacements: number,
  print: (line: string) => void,
): Promise<void> {
  const datastoreId = await client.createDatastore('visible');
  const documents = Array.from({ length: LIVING }, (_, index) => ({
    name: `living-${index}`,
    text: textOfRevision(`living-${index}`, 0),
  }));
  const living = await client.createTexts(datastoreId, documents);
  await untilSettled(client, datastoreId);
  const chunks = (await client.query(datastoreId, MARKER, { datasourceIds: living.slice(0, 1) })).length;
  assert.ok(chunks > 3, 'too small to be seen half');

  const reader = new VisibilityReader(client, datastoreId, living, chunks);
  const stop = new AbortController();
  // A reader that fails ends the writers too.
  const reading = Promise.all(
    Array.from({ length: READERS }, () => reader.read(stop.signal).finally(() => stop.abort())),
  );
  try {
    await Promise.all([
      ...living.map((id, index) =>
        replace(client, datastoreId, id, `living-${index}`, replacements, stop.signal),
      ),
      makeAndDelete(client, datastoreId, reader, replacements, stop.signal),
    ]);
  } finally {
    stop.abort();
    await reading;
  }
  print(`${reader.reads} reads, ${reader.switches} switches seen, ${chunks} chunks each`);
  assert.ok(reader.switches > replacements, 'hardly a switch was seen');
}

async function replace(
  client: ApiClient,
  datastoreId: string,
  id: string,
  name: string,
  times: number,
  signal: AbortSignal,
): Promise<void> {
  for (let revision = 1; revision <= times && !signal.aborted; revision += 1) {
    await client.replaceText(datastoreId, id, textOfRevision(name, revision));
    // Every fourth one is replaced before it serves.
    if (revision % 4 === 0) await sleep(20);
    else await untilSynched(client, id, signal);
  }
}

async function makeAndDelete(
  client: ApiClient,
  datastoreId: string,
  reader: VisibilityReader,
  times: number,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 1; round <= times && !signal.aborted; round += 1) {
    const [id = ''] = await client.createTexts(datastoreId, [
      { name: `doomed-${round}`, text: textOfRevision(`doomed-${round}`, round) },
    ]);
    // Every third one is deleted while it is being indexed.
    if (round % 3 === 0) await sleep(round * 5);
    else await untilSynched(client, id, signal);
    await client.remove(id);
    reader.wasDeleted(id);
  }
}

async function untilSynched(client: ApiClient, id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await client.datasource(id)).status !== 'synched') await sleep(15);
}
