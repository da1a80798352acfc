// Measures how much of the text of web pages is extracted, and how much else, by folder:
//
//   node dist/html-recall.bench.js <folder ...> [--against <checkout>] [--pages]
//
// Beside each page `x.html` is `x.html.expected.md`, the text that the page should give. Pages are
// grouped by the folder they are in, such as the generators of `packages/documents/test-pages`.
//
// --against  measures the reader of another compiled checkout, too
// --pages    prints each page, worst first
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as ownReader from '@citewell/documents/web-page';
import { common, wordsOf } from './parsing/word-recall.js';

type Reader = typeof ownReader;

interface Score {
  readonly page: string;
  readonly recall: number;
  readonly precision: number;
  readonly f1: number;
}

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' }, pages: { type: 'boolean', default: false } },
});
if (folders.length === 0) {
  console.error('usage: html-recall.bench.js <folder ...> [--against <checkout>] [--pages]');
  process.exit(2);
}

if (values.against !== undefined) {
  const file = resolve(values.against, 'packages/documents/dist/html/index.js');
  await print(values.against, (await import(pathToFileURL(file).href)) as Reader);
}
await print('this checkout', ownReader);

async function print(name: string, reader: Reader): Promise<void> {
  const scores: Score[] = [];
  for (const folder of folders) {
    for (const file of pagesIn(folder)) scores.push(await scoreOf(file, reader));
  }
  const groups = Map.groupBy(scores, ({ page }) => basename(dirname(page)));
  if (groups.size > 1) groups.set('all', scores);
  console.log(name);
  console.table(Object.fromEntries([...groups].map(([group, rows]) => [group, summaryOf(rows)])));
  if (!values.pages) return;
  for (const { page, recall, precision } of scores.toSorted((a, b) => a.f1 - b.f1))
    console.log(`recall ${recall.toFixed(3)}  precision ${precision.toFixed(3)}  ${page}`);
}

function pagesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith('.html') && existsSync(`${file}.expected.md`))
    .toSorted();
}

async function scoreOf(page: string, { readPage }: Reader): Promise<Score> {
  const { document } = await readPage(readFileSync(page), { url: `https://site.example/${page}` });
  const reference = wordsOf(readFileSync(`${page}.expected.md`, 'utf8'));
  const words = wordsOf(document?.text ?? '');
  const both = common(reference, words);
  const recall = both / Math.max(1, reference.length);
  const precision = both / Math.max(1, words.length);
  return { page, recall, precision, f1: (2 * both) / Math.max(1, reference.length + words.length) };
}

function summaryOf(scores: readonly Score[]): Record<string, number> {
  const recalls = scores.map(({ recall }) => recall).toSorted((a, b) => a - b);
  const quantile = (share: number): number => recalls[Math.floor(share * recalls.length)] ?? 0;
  return {
    pages: scores.length,
    'median recall': round(quantile(0.5)),
    '5th percentile': round(quantile(0.05)),
    precision: round(mean(scores.map(({ precision }) => precision))),
    F1: round(mean(scores.map(({ f1 }) => f1))),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
