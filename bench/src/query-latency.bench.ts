// Measures the latency of datastore queries on a running product with 5,000 chunks: complete HTTP round trips
// over one keep-alive connection, first in sequence, then while 200 files are ingested. For comparison it
// also measures the vector engine called directly on the same data, and a route that does nothing. The CPU time is that of
// all processes of the product.
//
//   node dist/query-latency.bench.js [--chunks 5000] [--queries 1000] [--files 200] [--product <checkout>]
//     [--profile <folder>]
//
// --product measures another compiled checkout. With a folder, the product's CPU profiles are written there, one per
// thread. The variables EMBEDDING_MODEL, OPENAI_* and
// QDRANT_* are passed to the product. With a model whose vectors follow in the background, queries are also measured until
// the files have theirs.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { loadBuiltinEmbeddingModel } from '@citewell/models';
import { AnalyzedQuestion, encodeQueryTerms } from '@citewell/retrieval';
import { EmbeddedVectorStore, type SearchQuery, type Space } from '@citewell/vector-store';
import { BenchClient } from './product/bench-client.js';
import { engineVariables } from './product/engine-variables.js';
import { GeneratedText } from './product/generated-text.js';
import { processTree } from './product/process-tree.js';
import { REPOSITORY, withStandalone } from './product/standalone-process.js';
import { round, Timings } from './product/timings.js';

const SECTIONS = 10;
const DOCUMENTS_PER_REQUEST = 25;
const WARM_UP = 200;
const TOP_K = 5;
const QUESTION_WORDS = 8;
/** The retriever requests more hits from the engine than it returns. */
const ENGINE_LIMIT = 10;
/** As the retriever weighs the built-in model. */
const DENSE_WEIGHT = 0.3;

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '5000' },
    queries: { type: 'string', default: '1000' },
    files: { type: 'string', default: '200' },
    product: { type: 'string', default: REPOSITORY },
    profile: { type: 'string' },
  },
});
const queries = Number(values.queries);
const texts = new GeneratedText(1);
const questions = Array.from({ length: queries }, () => texts.phrase(QUESTION_WORDS));

const nodeOptions = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];

const options = { repository: values.product, nodeOptions, variables: engineVariables() };
await withStandalone(options, async (product, directory) => {
  const client = new BenchClient(product.url);
  const datastoreId = await client.createDatastore();
  const chunks = await fill(client, datastoreId, Number(values.chunks));
  console.log(`${chunks} chunks, ${queries} questions of ${QUESTION_WORDS} words, topK ${TOP_K}`);

  const ask = (question: string): Promise<unknown> => client.query(datastoreId, question, { topK: TOP_K });
  const live = (): Promise<unknown> => client.send('GET', '/health/live');
  for (const question of questions.slice(0, WARM_UP)) await Promise.all([ask(question), live()]);

  const rows: Record<string, Record<string, number>> = {};
  rows['GET /health/live'] = await inSequence(live);
  Object.assign(rows, await engineTimes(directory, datastoreId));
  const before = cpuOf(product.pid);
  rows['query, in sequence'] = await inSequence(ask);
  rows['query, in sequence']['CPU ms'] = round((cpuOf(product.pid) - before) / queries);
  const { row, seconds } = await whileIngesting(product.url, datastoreId, Number(values.files), ask);
  rows['query, while ingesting'] = row;
  rows['query, while vectors follow'] = await whileEmbedding(product.url, datastoreId, ask);
  console.table(rows);
  console.log(`${values.files} files were ingested in ${seconds.toFixed(1)} s`);
  client.close();
});

/** Adds texts until the datastore has at least `minChunks` chunks. @returns their number */
async function fill(client: BenchClient, datastoreId: string, minChunks: number): Promise<number> {
  for (let chunks = 0; ;) {
    // Each section becomes one chunk; about 2 % are split into two.
    const documents = Math.ceil((minChunks - chunks) / (SECTIONS * 1.02));
    for (let left = documents; left > 0; left -= DOCUMENTS_PER_REQUEST) {
      const batch = Array.from({ length: Math.min(left, DOCUMENTS_PER_REQUEST) }, (_, n) => ({
        name: `Text ${n}`,
        text: texts.document(SECTIONS),
      }));
      await client.createTexts(datastoreId, batch);
    }
    await client.waitUntilFinished(datastoreId);
    await client.waitUntilEmbedded(datastoreId);
    chunks = await client.countChunks(datastoreId);
    if (chunks >= minChunks) return chunks;
  }
}

async function inSequence(call: (question: string) => Promise<unknown>): Promise<Record<string, number>> {
  const timings = new Timings();
  for (const question of questions) await timings.measure(() => call(question));
  return timings.row();
}

/** CPU time of a process and its descendants until now, in ms. */
function cpuOf(pid: number): number {
  return processTree(pid).reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

/** Opens the product's vector store as a second reader, which the engine allows. */
async function engineTimes(
  directory: string,
  datastoreId: string,
): Promise<Record<string, Record<string, number>>> {
  const store = new EmbeddedVectorStore({ directory: join(directory, 'vectors') });
  const { space, organizationId } = await locate(store, datastoreId);
  const tenant = { organizationId, datastoreIds: [datastoreId] };
  const model = await loadBuiltinEmbeddingModel();
  const signal = new AbortController().signal;
  const byWords = (question: string): SearchQuery => {
    const lexical = encodeQueryTerms(new AnalyzedQuestion(question));
    return { lexical, terms: lexical.indices, limit: ENGINE_LIMIT };
  };
  const search = (question: string): Promise<unknown> => store.search(space, tenant, byWords(question));
  const searchBoth = async (question: string): Promise<unknown> => {
    const [dense] = await model.embed([question], { kind: 'query', signal });
    return store.search(space, tenant, { ...byWords(question), dense, denseWeight: DENSE_WEIGHT });
  };
  const rows: Record<string, Record<string, number>> = {};
  for (const question of questions.slice(0, WARM_UP)) await search(question);
  rows['engine called directly, by words'] = await inSequence(search);
  if (space.dense?.dimensions === model.dimensions) {
    for (const question of questions.slice(0, WARM_UP)) await searchBoth(question);
    rows['engine called directly, by words and the built-in model'] = await inSequence(searchBoth);
  }
  await store.close();
  return rows;
}

async function locate(
  store: EmbeddedVectorStore,
  datastoreId: string,
): Promise<{ space: Space; organizationId: string }> {
  for (const space of await store.listSpaces())
    for await (const run of store.scanRuns(space))
      if (run.datastoreId === datastoreId) return { space, organizationId: run.organizationId };
  throw new Error('The datastore is empty');
}

/** Uploads from another thread, so that uploading does not delay the queries of this one. */
async function whileIngesting(
  url: string,
  datastoreId: string,
  files: number,
  ask: (question: string) => Promise<unknown>,
): Promise<{ row: Record<string, number>; seconds: number }> {
  const started = performance.now();
  const uploader = new Worker(new URL('./product/uploader.worker.js', import.meta.url), {
    workerData: { url, datastoreId, files },
  });
  const ingested = new Promise<boolean>((resolve, reject) => {
    uploader.once('error', reject);
    uploader.once('exit', () => resolve(true));
  });
  const state = { done: false };
  ingested.finally(() => (state.done = true)).catch(() => undefined);
  const timings = new Timings();
  for (let n = 0; !state.done; n++) {
    const question = questions[n % questions.length] ?? '';
    await timings.measure(() => ask(question));
  }
  await ingested;
  return { row: timings.row(), seconds: (performance.now() - started) / 1_000 };
}

async function whileEmbedding(
  url: string,
  datastoreId: string,
  ask: (question: string) => Promise<unknown>,
): Promise<Record<string, number>> {
  const client = new BenchClient(url);
  const state = { done: false };
  const embedded = client.waitUntilEmbedded(datastoreId).finally(() => (state.done = true));
  const timings = new Timings();
  for (let n = 0; n === 0 || !state.done; n++) {
    const question = questions[n % questions.length] ?? '';
    await timings.measure(() => ask(question));
  }
  await embedded;
  client.close();
  return timings.row();
}
