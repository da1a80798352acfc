// Compares a local embedding model with a bare session of ONNX Runtime, in turn: texts per second, the CPU time of a text,
// the time of a question meanwhile, and the memory of the model's process.
//
//   node dist/local-embedding.bench.js <model> <text>
//
// <model>: a directory with a model in the format of the hub. <text>: a text file, divided into windows of 40 to 60 words.
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openLocalEmbeddingModel } from '@citewell/models';

const WORDS = 60;
const TEXTS = 128;
const ROUNDS = 3;
/** Tokens per batch of the bare session. The fastest counts. */
const BATCH_TOKENS = [128, 512, 1_024];
/** Ticks of /proc/<pid>/stat, in ms. */
const TICK_MS = 10;

interface Session {
  readonly inputNames: readonly string[];
  run(inputs: Record<string, unknown>): Promise<unknown>;
}
interface Runtime {
  InferenceSession: { create(weights: Uint8Array, options: object): Promise<Session> };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
}
interface Tokenizers {
  Tokenizer: new (
    tokenizer: object,
    config: object,
  ) => { encode(text: string, options: object): { ids: number[] } };
}

const [model = '', textFile = ''] = process.argv.slice(2);
const words = (await readFile(textFile, 'utf8')).split(/\s+/).filter(Boolean);
const texts = Array.from({ length: TEXTS }, (_, at) =>
  Array.from(
    { length: WORDS - ((at * 7) % 21) },
    (_word, word) => words[(at * WORDS + word) % words.length],
  ).join(' '),
);
const { signal } = new AbortController();
const directory = join(tmpdir(), 'citewell-bench-models');
const local = await openLocalEmbeddingModel({
  name: `local:${resolve(model)}`,
  directory,
  onProgress: ({ text }) => console.log(text),
});
const child = await modelProcess();

const runtime = (await readdir(directory)).find((name) => name.startsWith('runtime-')) ?? '';
const load = createRequire(join(directory, runtime, 'package.json'));
const { InferenceSession, Tensor } = load('onnxruntime-node') as Runtime;
const { Tokenizer } = load('@huggingface/tokenizers') as Tokenizers;
const json = async (file: string): Promise<object> =>
  JSON.parse(await readFile(join(model, file), 'utf8')) as object;
const tokenizer = new Tokenizer(await json('tokenizer.json'), await json('tokenizer_config.json'));
const inputs = texts.map((text) => tokenizer.encode(text, {}).ids).sort((a, b) => a.length - b.length);
const weights = await readFile(join(model, 'onnx/model_quantized.onnx'));
const sessions = {
  'with the defaults': await InferenceSession.create(weights, {}),
  'without spinning': await InferenceSession.create(weights, {
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  }),
};

console.log(`${availableParallelism()} cores, ${TEXTS} texts of 40 to 60 words`);
for (let round = 1; round <= ROUNDS; round += 1) {
  const rates: number[] = [];
  for (const [name, session] of Object.entries(sessions)) {
    for (const maxTokens of BATCH_TOKENS) {
      const before = process.cpuUsage();
      const rate = await textsPerSecond(() => runBare(session, maxTokens));
      const { user, system } = process.cpuUsage(before);
      rates.push(rate);
      report(`bare session ${name}, batches of ${maxTokens} tokens`, rate, (user + system) / 1_000);
    }
  }
  const before = await cpuTime(child);
  const rate = await textsPerSecond(() => local.embed(texts, { signal, kind: 'document' }));
  report('local model', rate, (await cpuTime(child)) - before);
  console.log(`round ${round}: ratio to the fastest bare session ${(rate / Math.max(...rates)).toFixed(2)}`);
}

await question('alone');
const documents = local.embed(texts, { signal, kind: 'document' });
for (let at = 0; at < 5; at += 1) await question('while documents are embedded');
await documents;
const status = await readFile(`/proc/${child}/status`, 'utf8');
console.log(`memory of the model's process: ${[...status.matchAll(/^Vm(?:HWM|RSS):.*$/gm)].join(', ')}`);
await local.close();

function report(name: string, rate: number, cpuMs: number): void {
  console.log(`${name}: ${rate.toFixed(1)} texts/s, ${(cpuMs / TEXTS).toFixed(1)} ms of CPU time per text`);
}

async function textsPerSecond(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return TEXTS / ((performance.now() - started) / 1_000);
}

async function runBare(session: Session, maxTokens: number): Promise<void> {
  for (let from = 0; from < inputs.length;) {
    let to = from + 1;
    while (to < inputs.length && (to + 1 - from) * inputs[to]!.length <= maxTokens) to += 1;
    const batch = inputs.slice(from, to);
    const width = batch.at(-1)!.length;
    const tensor = (valueOf: (id: number) => bigint): unknown => {
      const data = new BigInt64Array(batch.length * width);
      for (const [row, ids] of batch.entries())
        for (const [column, id] of ids.entries()) data[row * width + column] = valueOf(id);
      return new Tensor('int64', data, [batch.length, width]);
    };
    await session.run({
      input_ids: tensor(BigInt),
      attention_mask: tensor(() => 1n),
      ...(session.inputNames.includes('token_type_ids') ? { token_type_ids: tensor(() => 0n) } : {}),
    });
    from = to;
  }
}

async function question(when: string): Promise<void> {
  const asked = performance.now();
  await local.embed(['how do I delete a file?'], { signal, kind: 'query' });
  console.log(`a question ${when}: ${(performance.now() - asked).toFixed(0)} ms`);
}

/** The process of the model: the only child of this one. Linux only. */
async function modelProcess(): Promise<string> {
  for (const pid of await readdir('/proc')) {
    const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    if (new RegExp(`^PPid:\\s${process.pid}$`, 'm').test(text)) return pid;
  }
  throw new Error('The process of the model was not found.');
}

/** CPU time in ms that the process has used. */
async function cpuTime(pid: string): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
