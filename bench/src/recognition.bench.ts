// Measures the recognition of pictures of text, beside the Tesseract of the system, in turn:
//
//   node dist/recognition.bench.js PICTURES TEXTS [--every N] [--pages N] [--language NAME --data FOLDER [--system FOLDER]]
//
// PICTURES  a folder of JPEG or PNG files
// TEXTS     a folder with the text of each: `NAME.txt`, or `NAME.csv` whose lines have eight coordinates before the text, as the
//           receipts of ICDAR 2019 have
//
// --data   a folder with `NAME.traineddata.gz`, and --system one with `NAME.traineddata` for the Tesseract of the system
//
// words    the share of the words (of the characters in Chinese and Japanese) of the texts that were recognized, each as often as it is there, without case and marks
// s/page   time of a page
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { parseArgs } from 'node:util';
import { INCLUDED_LANGUAGES, recognizePage } from '@citewell/documents/recognition';

const COORDINATES = 8;
/** Level of a word in Tesseract's tab-separated values. */
const WORD_LEVEL = '5';

const { values, positionals } = parseArgs({
  options: {
    every: { type: 'string', default: '1' },
    pages: { type: 'string', default: '100' },
    language: { type: 'string', default: 'eng' },
    data: { type: 'string' },
    system: { type: 'string' },
  },
  allowPositionals: true,
});
const [pictures, texts] = positionals;
if (pictures === undefined || texts === undefined) {
  console.error('usage: recognition.bench.js PICTURES TEXTS [--every N] [--pages N]');
  process.exit(2);
}

const names = readdirSync(pictures)
  .filter((name) => /\.(?:jpe?g|png)$/i.test(name))
  .toSorted()
  .filter((_, index) => index % Number(values.every) === 0)
  .slice(0, Number(values.pages));
const engines = { product: ofProduct, system: ofSystem };
const totals = Object.fromEntries(Object.keys(engines).map((engine) => [engine, { found: 0, seconds: 0 }]));
let wanted = 0;
for (const name of names) {
  const expected = countOf(textOf(texts, parse(name).name));
  wanted += [...expected.values()].reduce((sum, count) => sum + count, 0);
  for (const [engine, recognize] of Object.entries(engines)) {
    const startedAt = performance.now();
    const recognized = countOf(await recognize(join(pictures, name)));
    const total = totals[engine];
    if (total === undefined) continue;
    total.seconds += (performance.now() - startedAt) / 1_000;
    for (const [word, count] of expected) total.found += Math.min(count, recognized.get(word) ?? 0);
  }
}
console.log(`${names.length} pages, ${wanted} words`);
console.table(
  Object.fromEntries(
    Object.entries(totals).map(([engine, { found, seconds }]) => [
      engine,
      { words: (found / wanted).toFixed(3), 's/page': (seconds / names.length).toFixed(2) },
    ]),
  ),
);

async function ofProduct(path: string): Promise<string> {
  const bytes = new Uint8Array(readFileSync(path));
  const fileType = /png$/i.test(path) ? 'image/png' : 'image/jpeg';
  const { language, data } = values;
  const languages =
    data === undefined ? INCLUDED_LANGUAGES : { [language]: join(data, `${language}.traineddata.gz`) };
  return wordsOf((await recognizePage(bytes, { fileType, page: 1, languages })) ?? '');
}

/** On one thread, as the product. */
async function ofSystem(path: string): Promise<string> {
  const env = { ...process.env, OMP_THREAD_LIMIT: '1' };
  const data = values.system === undefined ? [] : ['--tessdata-dir', values.system];
  const args = [path, 'stdout', '-l', values.language, ...data, 'tsv'];
  return wordsOf(
    execFileSync('tesseract', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env }),
  );
}

function wordsOf(table: string): string {
  return table
    .split('\n')
    .map((row) => row.split('\t'))
    .filter(([level]) => level === WORD_LEVEL)
    .map((row) => row.at(-1))
    .join(' ');
}

function textOf(folder: string, name: string): string {
  const plain = join(folder, `${name}.txt`);
  if (existsSync(plain)) return readFileSync(plain, 'utf8');
  return readFileSync(join(folder, `${name}.csv`), 'utf8')
    .split('\n')
    .map((line) => line.split(',').slice(COORDINATES).join(','))
    .join('\n');
}

function countOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const units = /^(?:chi|jpn)/.test(values.language) ? /[\p{L}\p{N}]/gu : /[\p{L}\p{N}]+/gu;
  for (const word of text.toUpperCase().match(units) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
