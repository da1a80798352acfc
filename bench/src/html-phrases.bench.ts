// Measures how well the main content of real web pages is found, by kind of page, and compares it with
// linkedom and Readability:
//
//   node dist/html-phrases.bench.js <folder> [--misses <kind>]
//
// The folder contains evaldata.json ({"<url>": {"file", "with": [phrases of the main content], "without":
// [phrases of the boilerplate]}}, the format of trafilatura's evaluation) and, at any depth, the files that
// it names. The kind of a page is derived from its URL. --misses lists the errors of readPage on pages of one
// kind.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readPage } from '@citewell/documents/web-page';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';

interface Judgement {
  readonly file: string;
  readonly with: readonly string[];
  readonly without: readonly string[];
}

type Extract = (html: Buffer, url: string) => Promise<string> | string;

const CONTENDERS: Readonly<Record<string, Extract>> = {
  readPage: async (html, url) => (await readPage(html, { url })).document?.text ?? '',
  'linkedom + Readability': (html) => {
    const { document } = parseHTML(html.toString('utf8'));
    return new Readability(document).parse()?.textContent ?? '';
  },
};

/** Kinds of pages by their URL. The first match counts. */
const KINDS: readonly (readonly [kind: string, url: RegExp])[] = [
  ['forum', /forum|\/threads?[/-]|viewtopic|stackexchange|reddit\.com|\/comments\/|discussion/],
  ['shop', /\bshop\b|\/shop|\/products?\/|\/p\/\d|online-?shop|\/artikel\/\d+$|warenkorb/],
  ['docs', /wiki|\/docs?\/|\bdocs\.|documentation|manual|tutorial|readthedocs|\/help\/|\/guide/],
  ['blog', /blog|wordpress|medium\.com|tumblr/],
  [
    'news',
    /news|zeitung|times|post|tagesschau|heise|spiegel|zeit\.de|faz\.net|bbc|cnn|guardian|lemonde|elpais|\.press|journal/,
  ],
  ['other', /^/],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { misses: { type: 'string' } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('usage: html-phrases.bench.js <folder> [--misses <kind>]');
  process.exit(2);
}
// Not validated: the file comes from trafilatura.
const judgements = JSON.parse(readFileSync(join(folder, 'evaldata.json'), 'utf8')) as Record<
  string,
  Judgement
>;
const paths = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => [
    basename(name),
    join(folder, name),
  ]),
);

/** Counts of phrases over the pages of one kind. */
class Tally {
  private pages = 0;
  private wanted = 0;
  private found = 0;
  private unwanted = 0;
  private kept = 0;

  add(text: string, judgement: Judgement): { missing: string[]; kept: string[] } {
    const words = normalise(text);
    const missing = judgement.with.filter((phrase) => !words.includes(normalise(phrase)));
    const kept = judgement.without.filter((phrase) => words.includes(normalise(phrase)));
    this.pages += 1;
    this.wanted += judgement.with.length;
    this.found += judgement.with.length - missing.length;
    this.unwanted += judgement.without.length;
    this.kept += kept.length;
    return { missing, kept };
  }

  row(): Record<string, number> {
    const recall = this.found / this.wanted;
    const precision = this.found / (this.found + this.kept);
    return {
      pages: this.pages,
      'wanted found': round(recall),
      'unwanted left out': round(1 - this.kept / this.unwanted),
      F1: round((2 * precision * recall) / (precision + recall)),
    };
  }
}

for (const [name, extract] of Object.entries(CONTENDERS)) {
  const tallies = new Map([...KINDS.map(([kind]) => kind), 'all'].map((kind) => [kind, new Tally()]));
  for (const [url, judgement] of Object.entries(judgements)) {
    const path = paths.get(judgement.file);
    if (path === undefined) continue;
    const text = await attempt(extract, readFileSync(path), url);
    const kind = KINDS.find(([, pattern]) => pattern.test(url.toLowerCase()))?.[0] ?? 'other';
    const errors = tallies.get(kind)?.add(text, judgement);
    tallies.get('all')?.add(text, judgement);
    if (
      name === 'readPage' &&
      kind === values.misses &&
      errors &&
      errors.missing.length + errors.kept.length > 0
    )
      console.log(url, judgement.file, errors);
  }
  console.log(name);
  console.table(Object.fromEntries([...tallies].map(([kind, tally]) => [kind, tally.row()])));
}

/** A contender that fails on a page is counted as returning an empty text. */
async function attempt(extract: Extract, html: Buffer, url: string): Promise<string> {
  try {
    return await extract(html, url);
  } catch {
    return '';
  }
}

/** Case, white space and punctuation do not count in the comparison. */
function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
