// Measures what each list of words and each pattern of `packages/retrieval/src/question` is worth: the figures with all of
// them, and without each:
//
//   node dist/question-lists.bench.js <xquad folder> [--list NAME ...]
//
// exact      messages of `wrapped-questions`, in all six languages, whose question is found exactly: the words that are
//            searched are those of the bare question
// bare       bare questions (those of `wrapped-questions` and of XQuAD) that are searched as they are
// several    messages with three questions: each ranks its document first, by words alone
// lists      the same of "What are A, B and C?"
// subject    messages whose background tells the subject: the document ranks first
// commands   "List all …" is searched as "Which …?"
// Hit@1      mean of five languages of XQuAD, by words alone
// found      its questions about articles that are indexed, with a relevant passage
// absent     those about articles that are not; lower is better
//
// A list is emptied while its module is loaded, in a process of its own.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { emptyWordList, wordLists } from './questions/word-lists.js';

/** Lists that take part in {@link LISTS} of the search, too. */
const SEARCHED = /function-words|question-terms|term-variants/;
const LISTS = [
  'small-talk',
  'message-patterns',
  'authored-text',
  'listed-things',
  'references',
  'function-words',
  'question-terms',
  'term-variants',
];
type Figures = Readonly<Record<string, number | null>>;

const { values, positionals } = parseArgs({
  options: { list: { type: 'string', multiple: true }, without: { type: 'string' } },
  allowPositionals: true,
});
const [xquad] = positionals;
if (xquad === undefined) {
  console.error('usage: question-lists.bench.js <xquad folder> [--list NAME ...]');
  process.exit(2);
}
const folder = join(dirname(createRequire(import.meta.url).resolve('@citewell/retrieval')), 'question');
if (values.without === undefined) compare(xquad);
else process.stdout.write(JSON.stringify(await measureWithout(xquad, values.without)));

/** Prints the table. */
function compare(xquadFolder: string): void {
  const all = figuresOf(xquadFolder, 'none');
  const rows: Record<string, Record<string, string>> = { 'all lists': rowOf(all) };
  for (const { name, bytes } of constants()) {
    if (values.list && !values.list.some((one) => name.includes(one))) continue;
    const figures = figuresOf(xquadFolder, name);
    rows[`without ${name}`] = { bytes: String(bytes), ...rowOf(figures) };
  }
  console.table(rows);
}

function figuresOf(xquadFolder: string, without: string): Figures {
  const script = fileURLToPath(import.meta.url);
  const child = spawnSync(process.execPath, [script, xquadFolder, '--without', without], {
    encoding: 'utf8',
  });
  if (child.status !== 0) throw new Error(`${without}: ${child.stderr}`);
  return JSON.parse(child.stdout) as Figures;
}

function rowOf(figures: Figures): Record<string, string> {
  return Object.fromEntries(Object.entries(figures).map(([name, share]) => [name, share?.toFixed(4) ?? '–']));
}

/** Each list as `file.NAME`, with its length. */
function constants(): { name: string; bytes: number }[] {
  return LISTS.flatMap((file) =>
    wordLists(join(folder, `${file}.js`)).map(({ name, bytes }) => ({ name: `${file}.${name}`, bytes })),
  );
}

async function measureWithout(xquadFolder: string, without: string): Promise<Figures> {
  const [file = '', constant = ''] = without.split('.');
  emptyWordList(`/question/${file}.js`, constant);
  const { measureQuestions } = await import('./questions/measure-questions.js');
  return measureQuestions(xquadFolder, without === 'none' || SEARCHED.test(file));
}
