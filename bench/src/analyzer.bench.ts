// Measures the speed of text analysis and sparse encoding on one core, by language:
//
//   node dist/analyzer.bench.js [text file ...]
//
// Without files it uses built-in sentences, with varied words so that caches see a realistic vocabulary.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { analyze, encodeDocumentTerms } from '@citewell/retrieval';

const SAMPLES: Readonly<Record<string, string>> = {
  English:
    'The committee’s quarterly report describes how boundary-layer measurements were repeated in 1998, and why the re-entry vehicle behaved differently at 3.14 times the expected temperature. ',
  German:
    'Die vierteljährlichen Berichte der Kommission beschreiben, wie Grenzschichtmessungen wiederholt wurden und weshalb sich die Häuser der Größe nach unterschieden. ',
  Russian:
    'Ежеквартальный отчёт комиссии описывает, как были повторены измерения пограничного слоя и почему аппарат вёл себя иначе, чем ожидалось. ',
  Chinese: '委员会的季度报告描述了如何重复边界层测量，以及为什么飞行器在高温下的表现与预期不同。',
  Thai: 'รายงานรายไตรมาสของคณะกรรมการอธิบายว่าการวัดชั้นขอบเขตถูกทำซ้ำอย่างไร ',
};
const SAMPLE_CHARACTERS = 1_000_000;
const CHUNK_CHARACTERS = 1_500;
const ROUNDS = 3;
const SUFFIXES = ['', 's', 'ed', 'ing', 'ation', 'er', 'ly', 'ness'];

/** Repeats the sample and alters every eighth word, which gives about ten thousand different words. */
function vary(sample: string): string {
  let text = '';
  for (let n = 0; text.length < SAMPLE_CHARACTERS; n++) {
    text += sample.replace(/\p{L}{6,}/gu, (word, offset: number) =>
      (offset + n) % 8 === 0
        ? `${word}${SUFFIXES[n % 8]}${String.fromCharCode(97 + (n % 26), 97 + ((n >> 3) % 26))}`
        : word,
    );
  }
  return text;
}

function megabytesPerSecond(text: string, work: (chunk: string) => unknown): string {
  const bytes = Buffer.byteLength(text);
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (let at = 0; at < text.length; at += CHUNK_CHARACTERS) work(text.slice(at, at + CHUNK_CHARACTERS));
    best = Math.min(best, performance.now() - start);
  }
  return (bytes / 1e3 / best).toFixed(1).padStart(8);
}

const files = process.argv.slice(2);
const texts =
  files.length > 0
    ? files.map((file) => [basename(file), readFileSync(file, 'utf8')] as const)
    : Object.entries(SAMPLES).map(([name, sample]) => [name, vary(sample)] as const);
console.log('text'.padEnd(20), 'analyze, MB/s', 'encode, MB/s');
for (const [name, text] of texts) {
  console.log(
    name.padEnd(20),
    megabytesPerSecond(text, analyze).padStart(13),
    megabytesPerSecond(text, encodeDocumentTerms).padStart(12),
  );
}
