import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource } from '@citewell/contracts/http';
import { ApiAnswerError, type ApiClient } from './api.client.js';
import { EVERYWHERE, type SourceFile } from './corpus.js';
import { waitUntil } from './wait-until.js';

/** What one file became: how many chunks its run counted, and how many a query finds. */
export interface Outcome {
  chunks: number;
  characters: number;
  found: number;
}

export interface Uploads {
  /** Ids that were acknowledged. */
  ids: string[];
  /** Uploads that had no answer and were sent again. */
  repeated: number;
}

/**
 * Uploads files, several at a time. One that gets no answer, or 5xx, is sent again, as a client would; what it may have
 * left behind is then a second datasource of the same name.
 */
export async function uploadAll(
  client: ApiClient,
  datastoreId: string,
  files: readonly SourceFile[],
  { atOnce = 4, pauseMs = 0 }: { atOnce?: number; pauseMs?: number } = {},
): Promise<Uploads> {
  const uploads: Uploads = { ids: [], repeated: 0 };
  const queue = files.values();
  const worker = async (): Promise<void> => {
    for (const file of queue) {
      const datasource = await waitUntil(`upload of ${file.name}`, async () => {
        try {
          return await client.upload(datastoreId, file);
        } catch (error) {
          if (error instanceof ApiAnswerError && error.status < 500) throw error;
          uploads.repeated += 1;
          return null;
        }
      });
      uploads.ids.push(datasource.id);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return uploads;
}

/** Waits until every datasource of a datastore has come to an end, and returns them. */
export async function untilSettled(
  client: ApiClient,
  datastoreId: string,
  limitMs = 180_000,
): Promise<Datasource[]> {
  let open: Datasource[] = [];
  return waitUntil(
    'every datasource settled',
    async () => {
      const all = await client.datasources(datastoreId);
      open = all.filter((one) => one.status === 'unsynched' || one.status === 'running');
      return open.length === 0 ? all : null;
    },
    { limitMs, everyMs: 200 },
  ).catch(async (error: unknown) => {
    const runs = await Promise.all(open.slice(0, 3).map((one) => client.runs(one.id)));
    throw new Error(`${open.length} are not settled: ${JSON.stringify(runs)}`, { cause: error });
  });
}

/** What the files of a datastore became, by name. Names that are there twice must have become the same. */
export async function outcomesOf(client: ApiClient, datastoreId: string): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const { id, name, status, stats, error } of await client.datasources(datastoreId)) {
    assert.equal(status, 'synched', `${name}: ${JSON.stringify(error)}`);
    const hits = await client.query(datastoreId, EVERYWHERE, { datasourceIds: [id] });
    const places = new Set(hits.map((hit) => `${hit.start}-${hit.end}`));
    assert.equal(places.size, hits.length, `${name} has a chunk twice`);
    const outcome = { chunks: stats.chunks, characters: stats.characters, found: hits.length };
    const earlier = outcomes.get(name);
    if (earlier) assert.deepEqual(outcome, earlier, `${name} is there twice and differs`);
    outcomes.set(name, outcome);
  }
  return outcomes;
}
