// Measures checkouts in turn: the start with data, the idle memory of all processes, and the time until the first piece
// of an answer arrives, from a model that answers at once. Linux only.
//
//   node dist/first-token.bench.js [compiled checkout …] [--rounds 3] [--questions 60] [--idle 5]
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startModelServer } from '@citewell/testing/model-server';
import { ApiClient } from './product/api-client.js';
import { processTree, pssOf } from './product/process-tree.js';
import {
  API_KEY,
  REPOSITORY,
  StandaloneProcess,
  type StandaloneOptions,
  withDirectory,
} from './product/standalone-process.js';
import { round, Timings } from './product/timings.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    questions: { type: 'string', default: '60' },
    idle: { type: 'string', default: '5' },
  },
});

const model = await startModelServer();
const rows: Record<string, Record<string, number>> = {};
for (let run = 1; run <= Number(values.rounds); run += 1)
  for (const repository of [...positionals, REPOSITORY])
    rows[`${run}: ${repository}`] = await measure(repository);
console.table(rows);
await model.close();

async function measure(repository: string): Promise<Record<string, number>> {
  return withDirectory(async (directory) => {
    const variables = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'key', CHAT_MODEL: 'test-chat' };
    const options: StandaloneOptions = { directory, repository, variables };
    await (await StandaloneProcess.start(options)).stop();
    const product = await StandaloneProcess.start(options);
    try {
      await sleep(Number(values.idle) * 1_000);
      const bytes = processTree(product.pid).reduce((sum, { pid }) => sum + pssOf(pid), 0);
      const { first, later } = await firstTokens(product.url);
      return {
        'start ms': round(product.readyMs),
        'idle MB (PSS)': round(bytes / 2 ** 20),
        'first question ms': round(first),
        'first token p50 ms': round(later.percentile(0.5)),
        'first token p95 ms': round(later.percentile(0.95)),
      };
    } finally {
      await product.stop();
    }
  });
}

/** The first question loads the model's client and the tokenizer, so it is measured apart. */
async function firstTokens(url: string): Promise<{ first: number; later: Timings }> {
  const client = new ApiClient(url);
  const datastoreId = await client.createDatastore();
  await client.upsert(datastoreId, [{ name: 'Tides', text: 'The tide comes twice a day.' }]);
  await client.waitUntilFinished(datastoreId);
  const body = { name: 'Benchmark', datastoreIds: [datastoreId] };
  const { id } = await client.json<{ id: string }>('POST', 'agents', body);
  client.close();
  const once = new Timings();
  await (await once.measure(() => firstToken(url, id))).end();
  const later = new Timings();
  for (let question = 0; question < Number(values.questions); question += 1)
    await (await later.measure(() => firstToken(url, id))).end();
  return { first: once.percentile(1), later };
}

/** Asks, and resolves when the first piece of the answer has arrived. `end` reads the rest. */
async function firstToken(url: string, agentId: string): Promise<{ end: () => Promise<void> }> {
  const response = await fetch(`${url}/api/agents/${agentId}/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'How often comes the tide?', streaming: true }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const read = async (): Promise<boolean> => {
    const { value, done = true } = (await reader?.read()) ?? {};
    text += value ?? '';
    return !done;
  };
  while (!text.includes('event: answer'))
    if (!(await read())) throw new Error(`no answer: ${response.status} ${text}`);
  const end = async (): Promise<void> => {
    while (await read());
  };
  return { end };
}
