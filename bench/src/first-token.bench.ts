// Measures checkouts in turn: the start with data, the idle memory of all processes, and the time until the first piece
// of an answer arrives, from a model that answers at once. The model called directly and an agent without documents show
// what the product adds without retrieval. Linux only.
//
//   node dist/first-token.bench.js [compiled checkout …] [--rounds 3] [--questions 60] [--idle 5]
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startModelServer } from '@citewell/testing/model-server';
import { processTree, pssOf } from './product/process-tree.js';
import {
  API_KEY,
  REPOSITORY,
  StandaloneProcess,
  type StandaloneOptions,
  withDirectory,
} from './product/standalone-process.js';
import { round, Timings } from './product/timings.js';
import { BenchClient } from './product/bench-client.js';

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
      const { first, later, alone, direct } = await firstTokens(product.url);
      return {
        'start ms': round(product.readyMs),
        'idle MB (PSS)': round(bytes / 2 ** 20),
        'first question ms': round(first),
        'first token p50 ms': round(later.percentile(0.5)),
        'first token p95 ms': round(later.percentile(0.95)),
        'without documents p50 ms': round(alone.percentile(0.5)),
        'model alone p50 ms': round(direct.percentile(0.5)),
        'added p50 ms': round(alone.percentile(0.5) - direct.percentile(0.5)),
      };
    } finally {
      await product.stop();
    }
  });
}

interface FirstTokens {
  first: number;
  /** Of an agent with a document. */
  later: Timings;
  /** Of an agent without one, which searches nothing. */
  alone: Timings;
  /** Of the model without the product. */
  direct: Timings;
}

/** The first question loads the model's client and the tokenizer, so it is measured apart. */
async function firstTokens(url: string): Promise<FirstTokens> {
  const client = new BenchClient(url);
  const datastoreId = await client.createDatastore();
  await client.createTexts(datastoreId, [{ name: 'Tides', text: 'The tide comes twice a day.' }]);
  await client.waitUntilFinished(datastoreId);
  const create = async (agent: object): Promise<string> =>
    (await client.json<{ id: string }>('POST', 'agents', { name: 'Benchmark', ...agent })).id;
  const reader = await create({ datastoreIds: [datastoreId] });
  const talker = await create({ datastoreIds: [], restrictToSources: false });
  client.close();
  const [once, later, alone, direct] = [new Timings(), new Timings(), new Timings(), new Timings()];
  const ask = async (timings: Timings, work: () => Promise<FirstToken>): Promise<void> =>
    (await timings.measure(work)).end();
  await ask(once, () => fromAgent(url, reader));
  await ask(new Timings(), () => fromAgent(url, talker));
  await ask(new Timings(), fromModel);
  for (let question = 0; question < Number(values.questions); question += 1) {
    await ask(direct, fromModel);
    await ask(alone, () => fromAgent(url, talker));
    await ask(later, () => fromAgent(url, reader));
  }
  return { first: once.percentile(1), later, alone, direct };
}

function fromAgent(url: string, agentId: string): Promise<FirstToken> {
  const body = { query: 'How often comes the tide?', streaming: true };
  return firstToken(`${url}/api/agents/${agentId}/query`, API_KEY, body, 'event: answer');
}

function fromModel(): Promise<FirstToken> {
  const messages = [{ role: 'user', content: 'How often comes the tide?' }];
  const body = { model: 'test-chat', messages, stream: true };
  return firstToken(`${model.baseUrl}/chat/completions`, 'key', body, '"content":');
}

/** An answer of which the first piece has arrived. */
interface FirstToken {
  /** Reads the rest. */
  end: () => Promise<void>;
}

/** @param mark what the first piece contains */
async function firstToken(url: string, key: string, body: object, mark: string): Promise<FirstToken> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const read = async (): Promise<boolean> => {
    const { value, done = true } = (await reader?.read()) ?? {};
    text += value ?? '';
    return !done;
  };
  while (!text.includes(mark)) if (!(await read())) throw new Error(`no answer: ${response.status} ${text}`);
  const end = async (): Promise<void> => {
    while (await read());
  };
  return { end };
}
