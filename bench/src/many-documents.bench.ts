// Measures the ingestion of many small documents: how many are accepted and synched per second, what each costs in
// CPU time by component, and the peak memory of all processes. Each way of sending has a product of its own,
// on an empty data directory. Linux only.
//
//   node dist/many-documents.bench.js [--ways upsert,single,batch] [--texts 3000] [--model none] [--product <checkout>]
//   node dist/many-documents.bench.js --files [--ways single] [--texts 1000]
//   node dist/many-documents.bench.js --model stub [--ways batch] [--queries]
//
// The texts have 1 kB. `upsert` is the deprecated endpoint, 50 texts at a time; `single` sends a request for each
// text over 8 connections; `batch` sends 1,000 at a time. With --files, each text is a Markdown file.
// The model `stub` is an embedding server of fixed speed: 400 inputs/s in requests of 64, and 60/s one by one.
// --queries sends a query to the datastore every 100 ms meanwhile, which takes CPU time from the ingestion.
// --product measures another compiled checkout, and --cpu-profile <folder> writes CPU profiles of the main process.
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiResponseError, BenchClient } from './product/bench-client.js';
import { ComponentCosts } from './product/component-costs.js';
import { GeneratedText } from './product/generated-text.js';
import { megabytes, memoryOf, recordPeak } from './product/memory.js';
import { withStandalone } from './product/standalone-process.js';
import { StubEmbedder } from './product/stub-embedder.js';
import { round, Timings } from './product/timings.js';

const CHARACTERS = 1_000;
const CONNECTIONS = 8;
const UPSERT_SIZE = 50;
const BATCH_SIZE = 1_000;
/** Time after the start in which the product becomes idle. */
const REST_MS = 5_000;
const POLL_MS = 250;
const QUERY_PAUSE_MS = 100;
const QUERY_WORDS = 8;
const TOP_K = 5;
const WARM_UP = 50;
const NOT_FOUND = 404;

const { values } = parseArgs({
  options: {
    ways: { type: 'string' },
    texts: { type: 'string' },
    files: { type: 'boolean', default: false },
    model: { type: 'string', default: 'none' },
    queries: { type: 'boolean', default: false },
    product: { type: 'string' },
    'cpu-profile': { type: 'string' },
  },
});
const count = Number(values.texts ?? (values.files ? 1_000 : 3_000));
const ways = (values.ways ?? (values.files ? 'single' : 'upsert,single,batch')).split(',');
const generated = new GeneratedText(1);
const texts = Array.from({ length: count }, () => textOfSize(CHARACTERS));

/** Sends all texts to a datastore, and resolves when all are accepted. */
type Send = (clients: readonly BenchClient[], datastoreId: string) => Promise<void>;

const SEND: Readonly<Record<string, Send>> = {
  upsert: ([client], datastoreId) =>
    inGroups(UPSERT_SIZE, async (group) => {
      await client?.createTexts(
        datastoreId,
        group.map((text, n) => ({ name: `Text ${n}`, text })),
      );
    }),
  batch: ([client], datastoreId) =>
    inGroups(BATCH_SIZE, async (group) => {
      const { items } = (await client?.json<{ items: { error?: unknown }[] }>('POST', 'datasources/batch', {
        datastoreId,
        items: group.map((text, n) => ({ type: 'text', name: `Text ${n}`, text })),
      })) ?? { items: [] };
      const refused = items.find(({ error }) => error !== undefined);
      if (refused !== undefined) throw new Error(`An item was refused: ${JSON.stringify(refused)}`);
    }),
  single: async (clients, datastoreId) => {
    const queue = texts.entries();
    const sendNext = async (client: BenchClient): Promise<void> => {
      // All connections take from the same iterator.
      for (const [n, text] of queue) {
        if (values.files)
          await client.upload(datastoreId, { name: `text-${n}.md`, content: Buffer.from(text) });
        else await client.json('POST', 'datasources', { type: 'text', datastoreId, name: `Text ${n}`, text });
      }
    };
    await Promise.all(clients.map(sendNext));
  },
};

const rows: Record<string, Record<string, number>> = {};
for (const way of ways) {
  const send = SEND[way];
  if (send === undefined) throw new Error(`--ways: ${way} is not one of ${Object.keys(SEND).join(', ')}`);
  try {
    rows[way] = await measure(send);
  } catch (error) {
    // A checkout from before the batch endpoint.
    if (!(error instanceof ApiResponseError) || error.status !== NOT_FOUND) throw error;
    console.log(`${way}: there is no such endpoint`);
  }
}
console.log(
  `${count} ${values.files ? 'Markdown files' : 'texts'} of 1 kB, embedding model: ${values.model}`,
);
console.table(rows);

async function measure(send: Send): Promise<Record<string, number>> {
  const nodeOptions =
    values['cpu-profile'] === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values['cpu-profile']}`];
  const stub = values.model === 'stub' ? new StubEmbedder() : undefined;
  const options = {
    variables: (await stub?.start()) ?? { EMBEDDING_MODEL: values.model },
    nodeOptions,
    ...(values.product === undefined ? {} : { repository: values.product }),
  };
  return withStandalone(options, async (product) => {
    const clients = Array.from({ length: CONNECTIONS }, () => new BenchClient(product.url));
    const [client] = clients;
    if (client === undefined) throw new Error('There is no client');
    try {
      const datastoreId = await client.createDatastore();
      const asker = new BenchClient(product.url);
      if (values.queries) for (const text of texts.slice(0, WARM_UP)) await query(asker, datastoreId, text);
      await sleep(REST_MS);
      const idleBytes = memoryOf(product.pid);
      const costs = ComponentCosts.record(product.pid);
      const endRecording = recordPeak(product.pid);
      const endQueries = values.queries ? sendQueries(asker, datastoreId) : undefined;
      const started = performance.now();
      await send(clients, datastoreId);
      const acceptedSeconds = (performance.now() - started) / 1_000;
      await client.waitUntilFinished(datastoreId, POLL_MS);
      const synchedSeconds = (performance.now() - started) / 1_000;
      if (stub) await client.waitUntilEmbedded(datastoreId, POLL_MS);
      const embeddedSeconds = (performance.now() - started) / 1_000;
      const peakBytes = endRecording();
      const queries = await endQueries?.();
      asker.close();
      const cpu = Object.entries(costs.finish()).map(
        ([name, cost]) => [name, cost['CPU ms'] / count] as const,
      );
      return {
        'accepted/s': round(count / acceptedSeconds),
        'synched/s': round(count / synchedSeconds),
        ...(stub && {
          'inputs/s': round(stub.inputs / embeddedSeconds),
          'inputs per request': round(stub.inputs / stub.requests),
        }),
        ...(queries && {
          queries: queries.count,
          'query p50 ms': round(queries.percentile(0.5)),
          'query p99 ms': round(queries.percentile(0.99)),
        }),
        'CPU ms each': round(cpu.reduce((sum, [, ms]) => sum + ms, 0)),
        ...Object.fromEntries(cpu.map(([name, ms]) => [`of ${name}`, round(ms)])),
        'idle MB': megabytes(idleBytes),
        'peak MB': megabytes(peakBytes),
      };
    } finally {
      for (const open of clients) open.close();
      stub?.stop();
    }
  });
}

async function inGroups(size: number, send: (group: readonly string[]) => Promise<void>): Promise<void> {
  for (let at = 0; at < texts.length; at += size) await send(texts.slice(at, at + size));
}

/** Queries a datastore with words of the texts. @returns a function that ends it */
function sendQueries(client: BenchClient, datastoreId: string): () => Promise<Timings> {
  const timings = new Timings();
  let isEnded = false;
  const send = async (): Promise<void> => {
    for (const text of texts) {
      if (isEnded) return;
      await timings.measure(() => query(client, datastoreId, text));
      await sleep(QUERY_PAUSE_MS);
    }
  };
  const ended = send();
  // A failure is reported when the queries are ended.
  ended.catch(() => undefined);
  return async () => {
    isEnded = true;
    await ended;
    return timings;
  };
}

async function query(client: BenchClient, datastoreId: string, text: string): Promise<void> {
  await client.query(datastoreId, text.split(/\s+/).slice(0, QUERY_WORDS).join(' '), { topK: TOP_K });
}

/** A paragraph of prose, of a number of characters. */
function textOfSize(characters: number): string {
  let text = '';
  while (text.length < characters) text += `${generated.paragraph()} `;
  return text.slice(0, characters);
}
