// Measures the built-in embedding model on one core: time to load, memory, and time for a text of 60 words, by
// language:
//
//   node --expose-gc dist/builtin-embedding.bench.js
import { loadBuiltinEmbeddingModel } from '@citewell/models';

const SAMPLES: Readonly<Record<string, string>> = {
  English:
    'The committee’s quarterly report describes how boundary-layer measurements were repeated in 1998, and why the re-entry vehicle behaved differently at the expected temperature. ',
  German:
    'Die vierteljährlichen Berichte der Kommission beschreiben, wie Grenzschichtmessungen wiederholt wurden und weshalb sich die Häuser der Größe nach unterschieden. ',
  Russian:
    'Ежеквартальный отчёт комиссии описывает, как были повторены измерения пограничного слоя и почему аппарат вёл себя иначе. ',
  Chinese: '委员会的季度报告描述了如何重复边界层测量，以及为什么飞行器在高温下的表现与预期不同。',
  'unknown words': 'qzxvkj7wq1zxvk '.repeat(60),
};
const WORDS = 60;
const CHARACTERS_OF_CHINESE = 100;
const TEXTS = 20_000;

/** Repeats the sample to the length of a window, and begins each text at another word. */
function texts(sample: string): string[] {
  const dense = !sample.includes(' ');
  const units = dense ? [...sample] : sample.trim().split(' ');
  const size = dense ? CHARACTERS_OF_CHINESE : WORDS;
  return Array.from({ length: TEXTS }, (_, from) =>
    Array.from({ length: size }, (_unit, at) => units[(from + at) % units.length]).join(dense ? '' : ' '),
  );
}

function usedMb(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

const before = usedMb();
const started = performance.now();
const model = await loadBuiltinEmbeddingModel();
const loadMs = performance.now() - started;
console.log(`loaded in ${loadMs.toFixed(0)} ms, ${(usedMb() - before).toFixed(1)} MB of memory`);

const { signal } = new AbortController();
for (const [name, sample] of Object.entries(SAMPLES)) {
  const batch = texts(sample);
  await model.embed(batch.slice(0, TEXTS / 10), { signal, kind: 'document' });
  const { user, system } = process.cpuUsage();
  await model.embed(batch, { signal, kind: 'document' });
  const used = process.cpuUsage({ user, system });
  console.log(`${name.padEnd(14)} ${((used.user + used.system) / TEXTS).toFixed(1)} µs CPU per text`);
}
