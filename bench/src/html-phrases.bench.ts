// Prints how well the main content of real web pages of several kinds is found, beside linkedom with Readability:
//
//   node dist/html-phrases.bench.js <folder> [--misses <kind>]
//
// The folder holds evaldata.json ({"<url>": {"file", "with": [phrases of the content], "without": [phrases of what stands
// around it]}}, the format of trafilatura's evaluation) and, at any depth, the files that it names. What kind a page is,
// its address tells. With --misses, what readPage got wrong on pages of that kind is listed.
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

/** The first that fits the address. */
const KINDS: readonly (readonly [kind: string, address: RegExp])[] = [
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
// Parsed once, from a file that its user chose.
const judged = JSON.parse(readFileSync(join(folder, 'evaldata.json'), 'utf8')) as Record<string, Judgement>;
const paths = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => [
    basename(name),
    join(folder, name),
  ]),
);

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
  for (const [url, judgement] of Object.entries(judged)) {
    const path = paths.get(judgement.file);
    if (path === undefined) continue;
    const text = await attempt(extract, readFileSync(path), url);
    const kind = KINDS.find(([, address]) => address.test(url.toLowerCase()))?.[0] ?? 'other';
    const wrong = tallies.get(kind)?.add(text, judgement);
    tallies.get('all')?.add(text, judgement);
    if (
      name === 'readPage' &&
      kind === values.misses &&
      wrong &&
      wrong.missing.length + wrong.kept.length > 0
    )
      console.log(url, judgement.file, wrong);
  }
  console.log(name);
  console.table(Object.fromEntries([...tallies].map(([kind, tally]) => [kind, tally.row()])));
}

/** One that fails on a page has no text of it. */
async function attempt(extract: Extract, html: Buffer, url: string): Promise<string> {
  try {
    return await extract(html, url);
  } catch {
    return '';
  }
}

/** White space and marks around words are not what is judged. */
function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
