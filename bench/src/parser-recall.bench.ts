// Prints how much of files our parsers read, by format: of each file with an `.expected.md` beside it the recall of
// the reference's words and whether its headings come in the same order; of each PDF the recall of the words of
// poppler's text, and the F1 of its pairs of adjacent words, both without running headers.
//
//   node dist/parser-recall.bench.js <folder or file.pdf ...> [--missing]
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Document, DocumentError, parseDocument } from '@citewell/documents';
import { typeOfName } from './parsing/file-types.js';
import { readReference } from './parsing/markdown-reference.js';
import { popplerText } from './parsing/poppler-text.js';
import { f1, missing, pairsOf, recall, wordsOf } from './parsing/word-recall.js';

const SHOWN_MISSING = 25;

interface Score {
  readonly file: string;
  readonly format: string;
  readonly recall: number;
  /** Of pairs of adjacent words. */
  readonly pairs: number;
  readonly headings: string;
  readonly missing: readonly string[];
}

const { values, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: { missing: { type: 'boolean', default: false } },
});
if (paths.length === 0) {
  console.error('usage: parser-recall.bench.js <folder or file.pdf ...> [--missing]');
  process.exit(2);
}

const scores: Score[] = [];
for (const file of paths.flatMap(filesIn)) {
  try {
    const score = await scoreOf(file);
    if (score !== null) scores.push(score);
  } catch (error) {
    // A picture of text, or a file behind a password: nothing to be compared.
    if (!(error instanceof DocumentError)) throw error;
    console.log(`${basename(file)}: not read, ${error.code}`);
  }
}
for (const format of [...new Set(scores.map((score) => score.format))].sort()) print(format);

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile())
    .sort();
}

async function scoreOf(file: string): Promise<Score | null> {
  const fileType = typeOfName(file);
  const isPdf = fileType === 'application/pdf';
  const expected = `${file}.expected.md`;
  if (fileType === undefined || (!isPdf && !exists(expected))) return null;
  const reference = isPdf
    ? { text: popplerText(file), headings: [] }
    : readReference(readFileSync(expected, 'utf8'));
  const document = await parseDocument(Uint8Array.from(readFileSync(file)), { fileType });
  const wanted = wordsOf(reference.text);
  const words = wordsOf(document.text);
  return {
    file: basename(file),
    format: extname(file).slice(1),
    recall: recall(wanted, words),
    pairs: f1(pairsOf(wanted), pairsOf(words)),
    headings: isPdf ? '' : compareHeadings(reference.headings, headingsOf(document)),
    missing: missing(wanted, words),
  };
}

/** `equal`, or how many of the reference's headings are ours too and in its order. */
function compareHeadings(reference: readonly string[], ours: readonly string[]): string {
  const wanted = reference.map((heading) => wordsOf(heading).join(' '));
  const found = ours.map((heading) => wordsOf(heading).join(' '));
  if (wanted.length === found.length && wanted.every((heading, index) => heading === found[index]))
    return 'equal';
  let at = 0;
  let inOrder = 0;
  for (const heading of wanted) {
    const index = found.indexOf(heading, at);
    if (index < 0) continue;
    inOrder += 1;
    at = index + 1;
  }
  return `${inOrder} of ${wanted.length}, ours ${found.length}`;
}

function headingsOf({ blocks, text }: Document): string[] {
  return blocks
    .filter((block) => block.kind === 'heading')
    .map((block) => text.slice(block.start, block.end));
}

function print(format: string): void {
  const rows = scores
    .filter((score) => score.format === format)
    .sort((one, other) => one.recall - other.recall);
  const mean = rows.reduce((sum, row) => sum + row.recall, 0) / rows.length;
  console.log(`\n${format}: mean recall ${mean.toFixed(4)} of ${rows.length} files, worst first`);
  for (const row of rows) {
    console.log(
      `  ${row.recall.toFixed(4)}  pairs ${row.pairs.toFixed(4)}  ${row.file}${row.headings === '' ? '' : `  headings: ${row.headings}`}`,
    );
    if (values.missing && row.missing.length > 0)
      console.log(`          missing: ${row.missing.slice(0, SHOWN_MISSING).join(' ')}`);
  }
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}
