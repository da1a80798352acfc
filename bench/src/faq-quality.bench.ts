// Measures how often the product finds the answer to questions of FAQs, through its API, compared with plain BM25:
//
//   node dist/faq-quality.bench.js <collection> [--half odd|even] [--checkout <folder> ...]
//
// `faq-collection.bench.js` makes the collection. The variables EMBEDDING_MODEL, EMBEDDING_DIMENSIONS and OPENAI_* are
// passed to the product. With --checkout, other compiled checkouts are measured in the same run. Parameters were tuned on
// the odd questions, so the even ones are the default.
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { chunkDocument, embeddedText, parseDocument } from '@citewell/documents';
import { LexicalIndex } from './lexical-index.js';
import { ApiClient } from './product/api-client.js';
import { engineVariables } from './product/engine-variables.js';
import { REPOSITORY, withStandalone } from './product/standalone-process.js';
import {
  AnswerKey,
  type FaqCollection,
  type FoundText,
  loadFaqCollection,
} from './questions/faq-collection.js';
import { shareWithInterval } from './questions/share-with-interval.js';

const RANKS = [1, 3, 8];
const DEPTH = 8;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string', default: 'even' },
    checkout: { type: 'string', multiple: true, default: [] },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('usage: faq-quality.bench.js <collection> [--half odd|even] [--checkout <folder> ...]');
  process.exit(2);
}

const collection = await loadFaqCollection(folder);
const key = await AnswerKey.of(collection.documents);
const parity = values.half === 'odd' ? 1 : 0;
const questions = collection.questions.filter((_, n) => n % 2 === parity);
console.log(`${questions.length} questions, ${collection.documents.size} documents`);

const rows: Record<string, Record<string, string>> = {
  'plain BM25': await measure(await plainBm25(collection)),
};
for (const repository of [...values.checkout, REPOSITORY]) {
  await withStandalone({ repository, variables: engineVariables() }, async ({ url }) => {
    const client = new ApiClient(url);
    rows[repository === REPOSITORY ? 'this checkout' : basename(repository)] = await measure(
      await productSearch(client, collection),
    );
    client.close();
  });
}
console.table(rows);

type Search = (question: string) => Promise<readonly FoundText[]>;

/** The chunks of the product, ranked by BM25 over all words but 33 stop words. */
async function plainBm25({ documents }: FaqCollection): Promise<Search> {
  const chunks: (FoundText & { embedded: string })[] = [];
  for (const [document, markdown] of documents) {
    const parsed = await parseDocument(new TextEncoder().encode(markdown), { fileType: 'text/markdown' });
    for (const chunk of chunkDocument(parsed)) {
      chunks.push({ document, text: chunk.text, embedded: embeddedText(chunk) });
    }
  }
  const index = new LexicalIndex(new Map(chunks.map(({ embedded }, n) => [String(n), embedded])), 'plain');
  return async (question) => index.search(question, DEPTH).flatMap(({ id }) => chunks[Number(id)] ?? []);
}

async function productSearch(client: ApiClient, { documents }: FaqCollection): Promise<Search> {
  const datastoreId = await client.createDatastore();
  const names = new Map<string, string>();
  for (const [name, markdown] of documents) {
    names.set((await client.upload(datastoreId, name, Buffer.from(markdown))).id, name);
  }
  await client.waitUntilFinished(datastoreId);
  await client.waitUntilEmbedded(datastoreId);
  return async (question) =>
    (await client.query(datastoreId, question, DEPTH)).map(({ datasource_id: id, text }) => ({
      document: names.get(id) ?? '',
      text,
    }));
}

async function measure(search: Search): Promise<Record<string, string>> {
  const hits = RANKS.map(() => 0);
  let characters = 0;
  const times: number[] = [];
  for (const question of questions) {
    const started = performance.now();
    const found = await search(question.question);
    times.push(performance.now() - started);
    characters += found.reduce((sum, { text }) => sum + text.length, 0);
    const rank = found.findIndex((passage) => key.isRight(question, passage));
    RANKS.forEach((limit, n) => {
      if (rank >= 0 && rank < limit) hits[n] = (hits[n] ?? 0) + 1;
    });
  }
  times.sort((a, b) => a - b);
  return {
    ...Object.fromEntries(
      RANKS.map((limit, n) => [`Hit@${limit}`, shareWithInterval(hits[n] ?? 0, questions.length)]),
    ),
    'characters of 8': (characters / questions.length).toFixed(0),
    'ms p50': (times[Math.floor(times.length / 2)] ?? 0).toFixed(1),
  };
}
