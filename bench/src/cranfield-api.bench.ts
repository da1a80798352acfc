import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { averagePrecision, ndcgAt, recallAt } from '@citewell/retrieval';
import { LexicalIndex } from './lexical-index.js';
import { ApiClient } from './product/api-client.js';
import { GeneratedText } from './product/generated-text.js';
import { ADMIN_KEY, withStandalone } from './product/standalone-process.js';
import { loadCranfield, type Collection } from './test-collections.js';

/** Lowest acceptable nDCG@10. */
const FLOOR = 0.375;
const DEPTH = 100;
const DOCUMENTS_PER_REQUEST = 50;
/** Number of the collection's most frequent words that the other organizations' texts use. */
const SHARED_WORDS = 3_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    others: { type: 'string', default: '20' },
    documents: { type: 'string', default: '100' },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('usage: cranfield-api.bench.js <cranfield folder> [--others 20] [--documents 100]');
  process.exit(2);
}
const collection = await loadCranfield(folder);
// Empty documents cannot be uploaded, and none of them is relevant to a question.
const documents = new Map([...collection.documents].filter(([, text]) => text.trim() !== ''));
const texts = [...documents.values()];

await withStandalone({}, async ({ url }) => {
  const admin = new ApiClient(url, ADMIN_KEY);
  const client = await createOrganization(admin, url, 'Cranfield');
  const datastoreId = await client.createDatastore();
  const started = performance.now();
  const ids = await upload(client, datastoreId, texts);
  const seconds = (performance.now() - started) / 1_000;
  const numberOf = new Map([...documents.keys()].map((number, n) => [ids[n], number]));
  console.log(`${texts.length} documents synched in ${seconds.toFixed(1)} s`);

  const hits = await queryAll(client, datastoreId);
  const rankings = hits.map((list) => [
    ...new Set(list.map(({ datasource_id: id }) => numberOf.get(id) ?? '')),
  ]);
  const exact = new LexicalIndex(documents);
  const api = quality(rankings);
  console.table({
    'through the API': api,
    'exact BM25 in memory': quality(
      collection.questions.map(({ text }) => exact.search(text, DEPTH).map(({ id }) => id)),
    ),
  });
  if (api.ndcg < FLOOR) {
    console.log(`nDCG@10 is below ${FLOOR}`);
    process.exitCode = 1;
  }

  await fillOtherOrganizations(admin, url);
  const again = await queryAll(client, datastoreId);
  assert.deepEqual(again.map(withScores), hits.map(withScores));
  console.log(`${again.length} rankings are unchanged, scores included`);
  client.close();
  admin.close();
});

type Hits = Awaited<ReturnType<ApiClient['query']>>;

async function createOrganization(admin: ApiClient, url: string, name: string): Promise<ApiClient> {
  const { key } = await admin.json<{ key: string }>('POST', 'organizations', { name });
  return new ApiClient(url, key);
}

/** Uploads texts and waits until they are synched. @returns ids in the order of the texts */
async function upload(client: ApiClient, datastoreId: string, all: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < all.length; from += DOCUMENTS_PER_REQUEST) {
    const batch = all.slice(from, from + DOCUMENTS_PER_REQUEST);
    ids.push(
      ...(await client.upsert(
        datastoreId,
        batch.map((text, n) => ({ name: `Document ${from + n + 1}`, text })),
      )),
    );
  }
  await client.waitUntilFinished(datastoreId);
  await client.waitUntilEmbedded(datastoreId);
  return ids;
}

async function queryAll(client: ApiClient, datastoreId: string): Promise<Hits[]> {
  const all: Hits[] = [];
  for (const { text } of collection.questions) all.push(await client.query(datastoreId, text, DEPTH));
  return all;
}

function withScores(hits: Hits): [id: string, score: number][] {
  return hits.map(({ chunk_id: id, score }) => [id, score]);
}

async function fillOtherOrganizations(admin: ApiClient, url: string): Promise<void> {
  const words = frequentWords();
  const others = Number(values.others);
  for (let n = 0; n < others; n++) {
    const client = await createOrganization(admin, url, `Other ${n}`);
    const generated = new GeneratedText(100 + n, words);
    const paragraphs = Array.from({ length: Number(values.documents) }, () => generated.paragraph());
    await upload(client, await client.createDatastore(), paragraphs);
    client.close();
  }
  console.log(`${others} other organizations were filled with ${values.documents} documents each`);
}

function frequentWords(): string[] {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const [word] of text.matchAll(/[a-z]{3,}/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, SHARED_WORDS).map(([word]) => word);
}

function quality(rankings: readonly string[][]): { ndcg: number; map: number; recall: number } {
  const mean = (
    metric: (ranking: string[], gains: Collection['questions'][number]['gains']) => number,
  ): number => {
    const sum = collection.questions.reduce(
      (total, { gains }, n) => total + metric(rankings[n] ?? [], gains),
      0,
    );
    return Math.round((sum / collection.questions.length) * 10_000) / 10_000;
  };
  return {
    ndcg: mean((ranking, gains) => ndcgAt(10, ranking, gains)),
    map: mean(averagePrecision),
    recall: mean((ranking, gains) => recallAt(10, ranking, gains)),
  };
}
