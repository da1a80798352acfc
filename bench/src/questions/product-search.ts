import type { ApiClient } from '../product/api-client.js';
import type { FoundText } from './faq-collection.js';
import { DEPTH, type Search } from './hit-rates.js';

/** A passage with its relevance, 0..1. */
export interface ScoredText extends FoundText {
  readonly score: number;
}

/** Uploads files into a new datastore, and waits until they are searched by the configured model. */
export async function uploadFiles(
  client: ApiClient,
  files: Iterable<readonly [name: string, bytes: Buffer]>,
): Promise<{ datastoreId: string; search: Search<ScoredText> }> {
  const datastoreId = await client.createDatastore();
  const names = new Map<string, string>();
  for (const [name, bytes] of files) names.set((await client.upload(datastoreId, name, bytes)).id, name);
  await client.waitUntilFinished(datastoreId);
  await client.waitUntilEmbedded(datastoreId);
  return {
    datastoreId,
    search: async (question) =>
      (await client.query(datastoreId, question, DEPTH)).map(({ datasource_id: id, text, score }) => ({
        document: names.get(id) ?? '',
        text,
        score,
      })),
  };
}
