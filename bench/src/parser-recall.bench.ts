// Measures how much of the text of files the parsers extract, by format. A file with an `.expected.md` beside
// it is compared with that reference: recall of words, and the order of headings. A PDF is compared with the
// text of poppler, without running headers: recall of words, and F1 of pairs of adjacent words.
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

const MAX_MISSING_SHOWN = 25;

interface Score {
  readonly file: string;
  readonly format: string;
  readonly recall: number;
  /** F1 of pairs of adjacent words. */
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
    // For example a scanned or encrypted file: there is no text to compare.
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
  const referenceWords = wordsOf(reference.text);
  const words = wordsOf(document.text);
  return {
    file: basename(file),
    format: extname(file).slice(1),
    recall: recall(referenceWords, words),
    pairs: f1(pairsOf(referenceWords), pairsOf(words)),
    headings: isPdf ? '' : compareHeadings(reference.headings, headingsOf(document)),
    missing: missing(referenceWords, words),
  };
}

/** `equal`, or the number of the reference's headings that were extracted in the same order. */
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
  const rows = scores.filter((score) => score.format === format).sort((a, b) => a.recall - b.recall);
  const mean = rows.reduce((sum, row) => sum + row.recall, 0) / rows.length;
  console.log(`\n${format}: mean recall ${mean.toFixed(4)} of ${rows.length} files, worst first`);
  for (const row of rows) {
    console.log(
      `  ${row.recall.toFixed(4)}  pairs ${row.pairs.toFixed(4)}  ${row.file}${row.headings === '' ? '' : `  headings: ${row.headings}`}`,
    );
    if (values.missing && row.missing.length > 0)
      console.log(`          missing: ${row.missing.slice(0, MAX_MISSING_SHOWN).join(' ')}`);
  }
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}
