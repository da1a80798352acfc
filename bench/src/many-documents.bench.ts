// Measures the ingestion of many small documents: how many are accepted and synched per second, what each costs in
// CPU time by kind of process, and the peak memory of all processes. Each way of sending has a product of its own,
// on an empty data directory. Linux only.
//
//   node dist/many-documents.bench.js [--ways upsert,single,batch] [--texts 3000] [--model none] [--product <checkout>]
//   node dist/many-documents.bench.js --files [--ways single] [--texts 1000]
//
// The texts have 1 kB. `upsert` is the deprecated endpoint, 50 texts at a time; `single` sends a request for each
// text over 8 connections; `batch` sends 1,000 at a time. With --files, each text is a Markdown file.
// --product measures another compiled checkout, and --cpu-profile <folder> writes CPU profiles of the main process.
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource } from '@citewell/contracts/http';
import { ApiClient, ApiResponseError } from './product/api-client.js';
import { GeneratedText } from './product/generated-text.js';
import { processTree, pssOf } from './product/process-tree.js';
import { withStandalone } from './product/standalone-process.js';
import { round } from './product/timings.js';

const CHARACTERS = 1_000;
const CONNECTIONS = 8;
const UPSERT_SIZE = 50;
const BATCH_SIZE = 1_000;
/** Time after the start in which the product becomes idle. */
const REST_MS = 5_000;
/** Polling costs CPU time of the product. */
const POLL_MS = 250;
const MEMORY_SAMPLE_MS = 500;
const NOT_FOUND = 404;
const COMPONENTS = ['main', 'postgres', 'parsers'] as const;
type Component = (typeof COMPONENTS)[number];

const { values } = parseArgs({
  options: {
    ways: { type: 'string' },
    texts: { type: 'string' },
    files: { type: 'boolean', default: false },
    model: { type: 'string', default: 'none' },
    product: { type: 'string' },
    'cpu-profile': { type: 'string' },
  },
});
const count = Number(values.texts ?? (values.files ? 1_000 : 3_000));
const ways = (values.ways ?? (values.files ? 'single' : 'upsert,single,batch')).split(',');
const generated = new GeneratedText(1);
const texts = Array.from({ length: count }, () => textOfSize(CHARACTERS));

/** Sends all texts to a datastore, and resolves when all are accepted. */
type Send = (clients: readonly ApiClient[], datastoreId: string) => Promise<void>;

const SEND: Readonly<Record<string, Send>> = {
  upsert: ([client], datastoreId) =>
    inGroups(UPSERT_SIZE, async (group) => {
      await client?.upsert(
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
    const sendNext = async (client: ApiClient): Promise<void> => {
      // All connections take from the same iterator.
      for (const [n, text] of queue) {
        if (values.files) await client.upload(datastoreId, `text-${n}.md`, Buffer.from(text));
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
  const options = {
    variables: { EMBEDDING_MODEL: values.model },
    nodeOptions,
    ...(values.product === undefined ? {} : { repository: values.product }),
  };
  return withStandalone(options, async (product) => {
    const clients = Array.from({ length: CONNECTIONS }, () => new ApiClient(product.url));
    const [client] = clients;
    if (client === undefined) throw new Error('There is no client');
    try {
      const datastoreId = await client.createDatastore();
      await sleep(REST_MS);
      const idleBytes = memoryOf(product.pid);
      const before = cpuByComponent(product.pid);
      const endRecording = recordPeak(product.pid);
      const started = performance.now();
      await send(clients, datastoreId);
      const acceptedSeconds = (performance.now() - started) / 1_000;
      await waitUntilSynched(client, datastoreId);
      const synchedSeconds = (performance.now() - started) / 1_000;
      const peakBytes = endRecording();
      const cpu = cpuByComponent(product.pid);
      const perDocument = (component: Component): number =>
        round((cpu[component] - before[component]) / count);
      return {
        'accepted/s': round(count / acceptedSeconds),
        'synched/s': round(count / synchedSeconds),
        'CPU ms each': round(COMPONENTS.reduce((sum, name) => sum + cpu[name] - before[name], 0) / count),
        'of main': perDocument('main'),
        'of postgres': perDocument('postgres'),
        'of parsers': perDocument('parsers'),
        'idle MB': megabytes(idleBytes),
        'peak MB': megabytes(peakBytes),
      };
    } finally {
      for (const open of clients) open.close();
    }
  });
}

/** @throws Error if a document has failed */
async function waitUntilSynched(client: ApiClient, datastoreId: string): Promise<void> {
  const has = async (status: string): Promise<boolean> =>
    (
      await client.json<Datasource[]>(
        'GET',
        `datasources?datastoreId=${datastoreId}&status=${status}&limit=1`,
      )
    ).length > 0;
  while ((await has('unsynched')) || (await has('running'))) await sleep(POLL_MS);
  if (await has('error')) throw new Error('A document has failed');
}

async function inGroups(size: number, send: (group: readonly string[]) => Promise<void>): Promise<void> {
  for (let at = 0; at < texts.length; at += size) await send(texts.slice(at, at + size));
}

/** A paragraph of prose, of a number of characters. */
function textOfSize(characters: number): string {
  let text = '';
  while (text.length < characters) text += `${generated.paragraph()} `;
  return text.slice(0, characters);
}

/** CPU time in ms. Processes that have ended count towards their parent. */
function cpuByComponent(pid: number): Record<Component, number> {
  const sums = { main: 0, postgres: 0, parsers: 0 };
  for (const { command, cpuMs } of processTree(pid)) sums[componentOf(command)] += cpuMs;
  return sums;
}

function componentOf(command: string): Component {
  if (/parse-child/.test(command)) return 'parsers';
  return /postgres/.test(command) ? 'postgres' : 'main';
}

/** The proportional set size of all processes of a product, in bytes. */
function memoryOf(pid: number): number {
  return processTree(pid).reduce((sum, process) => sum + pssOf(process.pid), 0);
}

/** Samples the memory of all processes. @returns a function that ends it and returns the largest sum in bytes */
function recordPeak(pid: number): () => number {
  let peak = 0;
  const sample = (): void => {
    peak = Math.max(peak, memoryOf(pid));
  };
  // A failed measurement does not end the recording, and must not keep this process alive.
  const timer = setInterval(sample, MEMORY_SAMPLE_MS).unref();
  return () => {
    clearInterval(timer);
    sample();
    return peak;
  };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}
