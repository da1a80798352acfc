import type { DatastoreQueryItem, SearchExplanation } from '@citewell/contracts/schemas';
import type { BenchClient } from '../product/bench-client.js';
import type { FoundText } from './faq-collection.js';
import { DEPTH, type Search } from './hit-rates.js';

/** A passage with its relevance, 0..1. */
export interface ScoredText extends FoundText {
  readonly score: number;
}

/** What the searches of a datastore find. */
export interface ProductSearch {
  readonly datastoreId: string;
  readonly search: Search<ScoredText>;
  /** The search by words alone, and by meaning alone; the second finds nothing without a model. */
  readonly byWords: Search;
  readonly byMeaning: Search;
}

/** Uploads files into a new datastore, and waits until they are searched by the configured model. */
export async function uploadFiles(
  client: BenchClient,
  files: Iterable<readonly [name: string, bytes: Buffer]>,
): Promise<ProductSearch> {
  const datastoreId = await client.createDatastore();
  const names = new Map<string, string>();
  for (const [name, bytes] of files)
    names.set((await client.upload(datastoreId, { name, content: bytes })).id, name);
  await client.waitUntilFinished(datastoreId);
  await client.waitUntilEmbedded(datastoreId);
  const toTexts = (items: readonly DatastoreQueryItem[] | null): ScoredText[] =>
    (items ?? []).map(({ datasource_id: id, text, score }) => ({
      document: names.get(id) ?? '',
      text,
      score,
    }));
  const explain = (query: string): Promise<SearchExplanation> =>
    client.json('POST', `datastores/${datastoreId}/explain`, { query, topK: DEPTH });
  return {
    datastoreId,
    search: async (question) => toTexts(await client.query(datastoreId, question, { topK: DEPTH })),
    byWords: async (question) => toTexts((await explain(question)).words),
    byMeaning: async (question) => toTexts((await explain(question)).meaning),
  };
}
