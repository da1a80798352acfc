// Compares a local embedding model with Transformers.js, in turn: texts per second, the time of a question meanwhile, and
// the memory of the model's process.
//
//   node dist/local-embedding.bench.js <model> <transformers> <text>
//
// <model>: a directory with a model in the format of the hub. <transformers>: a directory in which
// `npm install @huggingface/transformers` was run. <text>: a text file, divided into windows of 60 words.
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openLocalEmbeddingModel } from '@citewell/models';

const WORDS = 60;
const TEXTS = 256;
const ROUNDS = 3;
/** Texts that Transformers.js gets at a time. The fastest counts. */
const BATCH_SIZES = [1, 8, 16, 32];

type Extract = (texts: string[], options: object) => Promise<{ tolist(): number[][] }>;
interface Transformers {
  pipeline(task: string, model: string, options: object): Promise<Extract>;
}

const [model = '', transformers = '', textFile = ''] = process.argv.slice(2);
const words = (await readFile(textFile, 'utf8')).split(/\s+/).filter(Boolean);
const texts = Array.from({ length: TEXTS }, (_, at) =>
  Array.from({ length: WORDS }, (_word, word) => words[(at * WORDS + word) % words.length]).join(' '),
);
const { signal } = new AbortController();

const { resolve: find } = createRequire(join(resolve(transformers), 'package.json'));
const { pipeline } = (await import(pathToFileURL(find('@huggingface/transformers')).href)) as Transformers;
const extract = await pipeline('feature-extraction', resolve(model), {
  dtype: 'q8',
  local_files_only: true,
});

let started = performance.now();
const local = await openLocalEmbeddingModel({
  name: `local:${resolve(model)}`,
  directory: join(tmpdir(), 'citewell-bench-models'),
  onProgress: ({ text }) => console.log(text),
});
console.log(
  `opened in ${((performance.now() - started) / 1_000).toFixed(1)} s, ${availableParallelism()} cores`,
);

for (let round = 1; round <= ROUNDS; round += 1) {
  const rates: number[] = [];
  for (const size of BATCH_SIZES) {
    started = performance.now();
    for (let from = 0; from < TEXTS; from += size)
      (await extract(texts.slice(from, from + size), { pooling: 'mean', normalize: true })).tolist();
    rates.push(rate());
  }
  const bare = Math.max(...rates);
  started = performance.now();
  await local.embed(texts, { signal, kind: 'document' });
  const ours = rate();
  console.log(
    `Transformers.js ${rates.map((value) => value.toFixed(1)).join(', ')} texts/s in batches of ${BATCH_SIZES.join(', ')}; local ${ours.toFixed(1)}, ratio ${(ours / bare).toFixed(2)}`,
  );
}

await question('alone');
const documents = local.embed(texts, { signal, kind: 'document' });
for (let at = 0; at < 5; at += 1) await question('while documents are embedded');
await documents;
console.log(`memory of the model's process: ${await childMemory()}`);

function rate(): number {
  return TEXTS / ((performance.now() - started) / 1_000);
}

async function question(when: string): Promise<void> {
  const asked = performance.now();
  await local.embed(['how do I delete a file?'], { signal, kind: 'query' });
  console.log(`a question ${when}: ${(performance.now() - asked).toFixed(0)} ms`);
}

/** The largest and the current resident memory of the processes that this one has started. Linux only. */
async function childMemory(): Promise<string> {
  for (const pid of await readdir('/proc')) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    if (new RegExp(`^PPid:\\s${process.pid}$`, 'm').test(status))
      return [...status.matchAll(/^Vm(?:HWM|RSS):.*$/gm)].join(', ');
  }
  return 'unknown';
}
