import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource } from '@citewell/contracts/schemas';
import { expect } from '@jest/globals';
import { ApiResponseError } from '../../client/api-response.js';
import { type SourceFile, type Tenant, untilRecovered } from '../../client/tenant.js';
import { COMMON_WORD } from './corpus.js';

/** Result of ingesting one file. */
export interface Outcome {
  /** As counted by the run. */
  chunks: number;
  characters: number;
  /** Chunks that a query finds. */
  found: number;
}

export interface Uploads {
  /** Ids of the acknowledged uploads. */
  ids: string[];
  /** Uploads that failed and were sent again. */
  repeated: number;
}

/**
 * Uploads files, several at a time. An upload without a response, or with 5xx, is sent again, as a client
 * would do. If the first one had taken effect, there are two datasources of the same name.
 */
export async function uploadAll(
  tenant: Tenant,
  datastoreId: string,
  files: readonly SourceFile[],
  { concurrency = 4, pauseMs = 0 }: { concurrency?: number; pauseMs?: number } = {},
): Promise<Uploads> {
  const uploads: Uploads = { ids: [], repeated: 0 };
  const queue = files.values();
  const worker = async (): Promise<void> => {
    for (const file of queue) {
      const datasource = await untilRecovered(async () => {
        try {
          return await tenant.upload(datastoreId, file);
        } catch (error) {
          if (error instanceof ApiResponseError && error.status < 500) throw error;
          uploads.repeated += 1;
          return null;
        }
      }, `upload of ${file.name}`);
      uploads.ids.push(datasource.id);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return uploads;
}

/** Waits until no datasource of a datastore has an unfinished run, and returns all datasources. */
export async function waitUntilFinished(
  tenant: Tenant,
  datastoreId: string,
  limitMs = 180_000,
): Promise<Datasource[]> {
  let unfinished: Datasource[] = [];
  return untilRecovered(
    async () => {
      const all = await tenant.datasources(datastoreId);
      unfinished = all.filter(({ status }) => status === 'unsynched' || status === 'running');
      return unfinished.length === 0 ? all : null;
    },
    'every datasource to finish',
    limitMs,
  ).catch(async (error: unknown) => {
    const runs = await Promise.all(unfinished.slice(0, 3).map(({ id }) => tenant.runs(id)));
    throw new Error(`${unfinished.length} are unfinished: ${JSON.stringify(runs)}`, { cause: error });
  });
}

/**
 * Outcome of each file of a datastore by name. Asserts that files with the same name have the same outcome.
 */
export async function outcomesOf(tenant: Tenant, datastoreId: string): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const { id, name, status, stats, error } of await tenant.datasources(datastoreId)) {
    expect({ name, status, error }).toMatchObject({ name, status: 'synched' });
    const hits = await tenant.search(datastoreId, COMMON_WORD, {
      topK: 100,
      filters: { datasource_ids: [id] },
    });
    const spans = new Set(hits.map((hit) => `${hit.start}-${hit.end}`));
    // No chunk is there twice.
    expect([name, spans.size]).toEqual([name, hits.length]);
    const outcome = { chunks: stats.chunks, characters: stats.characters, found: hits.length };
    const earlier = outcomes.get(name);
    if (earlier) expect({ name, ...outcome }).toEqual({ name, ...earlier });
    outcomes.set(name, outcome);
  }
  return outcomes;
}
