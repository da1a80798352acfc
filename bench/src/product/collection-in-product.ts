import { averagePrecision, hitAt, ndcgAt, recallAt } from '@citewell/retrieval';
import { LexicalIndex } from '../lexical-index.js';
import type { Collection } from '../test-collections.js';
import type { BenchClient } from './bench-client.js';

const DEPTH = 100;
const DOCUMENTS_PER_REQUEST = 50;
/** Number of words in a list of the most frequent ones. */
const FREQUENT_WORDS = 3_000;

export type Hits = Awaited<ReturnType<BenchClient['query']>>;
export type Quality = Record<'nDCG@10' | 'MAP' | 'R@10' | 'Hit@1', number>;

/** A test collection in a datastore of an organization of its own. */
export class CollectionInProduct {
  private constructor(
    private readonly client: BenchClient,
    private readonly datastoreId: string,
    private readonly collection: Collection,
    /** Ids of the collection by ids of the product. */
    private readonly idOf: ReadonlyMap<string, string>,
  ) {}

  static async create(admin: BenchClient, collection: Collection): Promise<CollectionInProduct> {
    const client = await admin.createOrganization(collection.name);
    const datastoreId = await client.createDatastore();
    // Empty documents cannot be uploaded, and none of them is relevant to a question.
    const documents = [...collection.documents].filter(([, text]) => text.trim() !== '');
    const started = performance.now();
    const ids = await upload(
      client,
      datastoreId,
      documents.map(([, text]) => text),
    );
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(`${collection.name}: ${ids.length} documents synched in ${seconds} s`);
    const idOf = new Map(documents.map(([id], n) => [ids[n] ?? '', id]));
    return new CollectionInProduct(client, datastoreId, collection, idOf);
  }

  async queryAll(): Promise<Hits[]> {
    const all: Hits[] = [];
    for (const { text } of this.collection.questions)
      all.push(await this.client.query(this.datastoreId, text, { topK: DEPTH }));
    return all;
  }

  /** @param isMeasured by the number of a question, from 0 */
  qualityOf(hits: readonly Hits[], isMeasured: (n: number) => boolean = () => true): Quality {
    const rankings = hits.map((list) => [
      ...new Set(list.map(({ datasource_id: id }) => this.idOf.get(id) ?? '')),
    ]);
    return this.quality(rankings, isMeasured);
  }

  /** The quality of the product's analyzer, with exact BM25 scores. */
  exactQuality(): Quality {
    const index = new LexicalIndex(this.collection.documents);
    const rankings = this.collection.questions.map(({ text }) =>
      index.search(text, DEPTH).map(({ id }) => id),
    );
    return this.quality(rankings, () => true);
  }

  /** The words that occur most often, to make other texts of. */
  frequentWords(): string[] {
    const counts = new Map<string, number>();
    for (const text of this.collection.documents.values())
      for (const [word] of text.matchAll(/[a-z]{3,}/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const sorted = [...counts].sort(([, a], [, b]) => b - a);
    return sorted.slice(0, FREQUENT_WORDS).map(([word]) => word);
  }

  private quality(rankings: readonly string[][], isMeasured: (n: number) => boolean): Quality {
    const measured = this.collection.questions.flatMap(({ gains }, n) =>
      isMeasured(n) ? [{ gains, ranking: rankings[n] ?? [] }] : [],
    );
    const mean = (metric: (question: (typeof measured)[number]) => number): number => {
      const sum = measured.reduce((total, question) => total + metric(question), 0);
      return Math.round((sum / measured.length) * 10_000) / 10_000;
    };
    return {
      'nDCG@10': mean(({ ranking, gains }) => ndcgAt(10, ranking, gains)),
      MAP: mean(({ ranking, gains }) => averagePrecision(ranking, gains)),
      'R@10': mean(({ ranking, gains }) => recallAt(10, ranking, gains)),
      'Hit@1': mean(({ ranking, gains }) => hitAt(1, ranking, gains)),
    };
  }
}

/**
 * Uploads texts, and waits until they are synched and searched by the configured model.
 *
 * @param name of each text, before its number
 * @returns ids in the order of the texts
 */
export async function upload(
  client: BenchClient,
  datastoreId: string,
  all: readonly string[],
  name = 'Document',
): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < all.length; from += DOCUMENTS_PER_REQUEST) {
    const batch = all.slice(from, from + DOCUMENTS_PER_REQUEST);
    ids.push(
      ...(await client.createTexts(
        datastoreId,
        batch.map((text, n) => ({ name: `${name} ${from + n + 1}`, text })),
      )),
    );
  }
  await client.waitUntilFinished(datastoreId);
  await client.waitUntilEmbedded(datastoreId);
  return ids;
}
