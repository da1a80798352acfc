// Measures speed and quality of content extraction from web pages on one core, and compares them with the
// tokenizer alone and with linkedom and Readability:
//
//   node dist/html-extraction.bench.js <folder> [--rounds 3]
//
// The folder contains .html or .html.gz files at any depth. Quality is measured for pages with a reference
// text: either X.html.expected.md beside the page, or an entry of ground-truth.json in the folder ({"<page>":
// {"articleBody", "url"}}, the format of the public article-extraction-benchmark). Recall and precision of
// words, with multiplicity, are averaged over pages.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { readPage } from '@citewell/documents/web-page';
import { Readability } from '@mozilla/readability';
import { Parser } from 'htmlparser2';
import { parseHTML } from 'linkedom';

interface TestPage {
  readonly html: Buffer;
  readonly url: string;
  readonly expected: string | undefined;
}

type Extract = (page: TestPage) => Promise<string> | string;

const CONTENDERS: Readonly<Record<string, Extract>> = {
  'tokenizer alone': ({ html }) => {
    const parser = new Parser({});
    parser.end(html.toString('utf8'));
    return '';
  },
  'readPage, with facts': async ({ html, url }) => (await readPage(html, { url })).document?.text ?? '',
  'linkedom + Readability': ({ html }) => {
    const { document } = parseHTML(html.toString('utf8'));
    return new Readability(document).parse()?.textContent ?? '';
  },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('usage: html-extraction.bench.js <folder> [--rounds 3]');
  process.exit(2);
}
const pages = loadPages(folder);
const megabytes = pages.reduce((sum, { html }) => sum + html.length, 0) / 1e6;
console.log(`${pages.length} pages, ${megabytes.toFixed(1)} MB`);

const rows: Record<string, Record<string, string>> = {};
for (const [name, extract] of Object.entries(CONTENDERS)) {
  const texts = await Promise.all(pages.map((page) => attempt(extract, page)));
  let best = Infinity;
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const started = performance.now();
    for (const page of pages) await attempt(extract, page);
    best = Math.min(best, performance.now() - started);
  }
  rows[name] = {
    'pages/s': ((pages.length / best) * 1_000).toFixed(0),
    'MB/s': ((megabytes / best) * 1_000).toFixed(1),
    ...(name === 'tokenizer alone' ? {} : quality(texts)),
  };
}
console.table(rows);

/** A contender that fails on a page is counted as returning an empty text. */
async function attempt(extract: Extract, page: TestPage): Promise<string> {
  try {
    return await extract(page);
  } catch {
    return '';
  }
}

function loadPages(root: string): TestPage[] {
  const truthFile = join(root, 'ground-truth.json');
  // Not validated: entries of another shape are treated as pages without a reference text.
  const truth = existsSync(truthFile)
    ? (JSON.parse(readFileSync(truthFile, 'utf8')) as Record<
        string,
        { articleBody?: string; url?: string } | undefined
      >)
    : {};
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.html(?:\.gz)?$/.test(name))
    .toSorted()
    .map((name) => {
      const path = join(root, name);
      const bytes = readFileSync(path);
      const entry = truth[basename(name).replace(/\.html(?:\.gz)?$/, '')];
      const referenceFile = `${path}.expected.md`;
      return {
        html: name.endsWith('.gz') ? gunzipSync(bytes) : bytes,
        url: entry?.url ?? `https://site.example/${name.replace(/\.html(?:\.gz)?$/, '')}`,
        expected:
          entry?.articleBody ?? (existsSync(referenceFile) ? readFileSync(referenceFile, 'utf8') : undefined),
      };
    });
}

function quality(texts: readonly string[]): Record<string, string> {
  let recall = 0;
  let precision = 0;
  let judged = 0;
  pages.forEach(({ expected }, n) => {
    if (expected === undefined) return;
    const reference = counts(expected.replace(/<!--[^]*?-->/g, ''));
    const extracted = counts(texts[n] ?? '');
    let common = 0;
    for (const [word, count] of reference) common += Math.min(count, extracted.get(word) ?? 0);
    recall += common / Math.max(1, total(reference));
    precision += common / Math.max(1, total(extracted));
    judged += 1;
  });
  if (judged === 0) return {};
  return {
    'judged pages': String(judged),
    'word recall': (recall / judged).toFixed(3),
    'word precision': (precision / judged).toFixed(3),
  };
}

function counts(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

function total(words: ReadonlyMap<string, number>): number {
  return [...words.values()].reduce((sum, count) => sum + count, 0);
}
