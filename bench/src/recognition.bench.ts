// Measures the recognition of pictures of text, beside the Tesseract of the system, in turn:
//
//   node dist/recognition.bench.js PICTURES TEXTS [--every N] [--from N] [--pages N] [--details FILE] [--language NAME --data FOLDER [--system FOLDER]]
//
// PICTURES  a folder of JPEG or PNG files
// TEXTS     a folder with the text of each: `NAME.txt`, or `NAME.csv` whose lines have eight coordinates before the text, as the
//           receipts of ICDAR 2019 have
//
// --from     the first picture, from 0: with `--every 6 --from 3`, the fourth, the tenth …
// --details  a file for a line of JSON a page: what each engine has found, its table, and the warnings of the product
// --data   a folder with `NAME.traineddata.gz`, and --system one with `NAME.traineddata` for the Tesseract of the system
//
// words      the share of the words (of the characters in Chinese and Japanese) of the texts that were recognized, each as often as it is there, without case and marks
// s/page     time of a page
// CPU s/page CPU time of a page (Linux)
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { parseArgs } from 'node:util';
import { DocumentError, parseDocument } from '@citewell/documents';
import { INCLUDED_LANGUAGES, recognizePage, wordsOf } from '@citewell/documents/recognition';
import { withBetterLanguage } from '@citewell/worker-parser';

const COORDINATES = 8;
/** Of `/proc`. */
const TICKS_PER_SECOND = 100;

const { values, positionals } = parseArgs({
  options: {
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    pages: { type: 'string', default: '100' },
    details: { type: 'string' },
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
  .filter((_, index) => index % Number(values.every) === Number(values.from))
  .slice(0, Number(values.pages));
const engines = { product: ofProduct, system: ofSystem };
const totals = Object.fromEntries(
  Object.keys(engines).map((engine) => [engine, { found: 0, seconds: 0, cpuSeconds: 0 }]),
);
let wanted = 0;
for (const name of names) {
  const expected = countOf(textOf(texts, parse(name).name));
  const words = [...expected.values()].reduce((sum, count) => sum + count, 0);
  wanted += words;
  const details: Record<string, unknown> = { name, words };
  for (const [engine, recognize] of Object.entries(engines)) {
    const [startedAt, cpuBefore] = [performance.now(), cpuSeconds()];
    const table = await recognize(join(pictures, name));
    const total = totals[engine];
    if (total === undefined) continue;
    const seconds = (performance.now() - startedAt) / 1_000;
    total.seconds += seconds;
    total.cpuSeconds += cpuSeconds() - cpuBefore;
    const recognized = countOf(wordsOf(table).join(' '));
    let found = 0;
    for (const [word, count] of expected) found += Math.min(count, recognized.get(word) ?? 0);
    total.found += found;
    details[engine] = { found, seconds, table };
    if (engine === 'product') details['warnings'] = await warningsOf(join(pictures, name), table);
  }
  if (values.details !== undefined) appendFileSync(values.details, `${JSON.stringify(details)}\n`);
}
console.log(`${names.length} pages, ${wanted} words`);
console.table(
  Object.fromEntries(
    Object.entries(totals).map(([engine, total]) => [
      engine,
      {
        words: (total.found / wanted).toFixed(3),
        's/page': (total.seconds / names.length).toFixed(2),
        'CPU s/page': (total.cpuSeconds / names.length).toFixed(2),
      },
    ]),
  ),
);

async function ofProduct(path: string): Promise<string> {
  const { language, data } = values;
  const languages =
    data === undefined ? INCLUDED_LANGUAGES : { [language]: join(data, `${language}.traineddata.gz`) };
  return (
    (await recognizePage(new Uint8Array(readFileSync(path)), {
      fileType: typeOf(path),
      page: 1,
      languages,
    })) ?? ''
  );
}

/** The codes and sentences of the warnings of the document, or of its error. */
async function warningsOf(path: string, table: string): Promise<string[]> {
  try {
    const { warnings } = await parseDocument(new Uint8Array(readFileSync(path)), {
      fileType: typeOf(path),
      recognized: new Map([[1, await withBetterLanguage(table)]]),
    });
    return warnings.map(({ code, message }) => `${code}: ${message}`);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return [`${error.code}: ${error.message}`];
  }
}

function typeOf(path: string): 'image/png' | 'image/jpeg' {
  return /png$/i.test(path) ? 'image/png' : 'image/jpeg';
}

/** CPU time of this process and of the programs that it has run and that have ended; 0 on other systems than Linux. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const [ofChildren = 0, systemOfChildren = 0] = fields.slice(13, 15).map(Number);
  return own + (ofChildren + systemOfChildren) / TICKS_PER_SECOND;
}

/** On one thread, as the product. */
async function ofSystem(path: string): Promise<string> {
  const env = { ...process.env, OMP_THREAD_LIMIT: '1' };
  const data = values.system === undefined ? [] : ['--tessdata-dir', values.system];
  const args = [path, 'stdout', '-l', values.language, ...data, 'tsv'];
  return execFileSync('tesseract', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env });
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
