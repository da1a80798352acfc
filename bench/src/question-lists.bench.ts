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
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

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
/** A constant with words, a pattern, or words by language. */
const CONSTANT =
  /(?<=\bconst )([A-Z_]+)( = )(words\(`[^`]*`\)|new Set\(\[[^\]]*\]\)|\{\n(?: {4}\w+: (?:`[^`]*`|''|\w+),?\n)+\}|\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*)/g;
const SHORTEST = 60;

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
  for (const { name, length } of constants()) {
    if (values.list && !values.list.some((one) => name.includes(one))) continue;
    const figures = figuresOf(xquadFolder, name);
    rows[`without ${name}`] = { bytes: String(length), ...rowOf(figures) };
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

/** Each list as `file.NAME`, with its length. Short ones are marks, not lists. */
function constants(): { name: string; length: number }[] {
  return readdirSync(folder)
    .filter((file) => LISTS.some((list) => file === `${list}.js`))
    .flatMap((file) =>
      Array.from(
        readFileSync(join(folder, file), 'utf8').matchAll(CONSTANT),
        ([, name = '', , value = '']) => ({
          name: `${file.replace('.js', '')}.${name}`,
          length: Buffer.byteLength(value),
        }),
      ),
    )
    .filter(({ length }) => length >= SHORTEST);
}

async function measureWithout(xquadFolder: string, without: string): Promise<Figures> {
  const [file = '', constant = ''] = without.split('.');
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(`/question/${file}.js`)) return loaded;
      const source = readFileSync(fileURLToPath(url), 'utf8');
      return {
        ...loaded,
        source: source.replace(CONSTANT, (whole, name: string, is: string, value: string) =>
          name === constant ? `${name}${is}${emptied(value)}` : whole,
        ),
      };
    },
  });
  const { measureQuestions } = await import('./questions/measure-questions.js');
  return measureQuestions(xquadFolder, without === 'none' || SEARCHED.test(file));
}

/** A list without its words: a pattern that matches nothing. */
function emptied(value: string): string {
  if (value.startsWith('words(')) return 'words(``)';
  if (value.startsWith('new Set(')) return 'new Set()';
  if (value.startsWith('{'))
    return value.replaceAll(/`[^`]*`|: \w+(?=,?\n)/g, (text) =>
      text.startsWith('`') ? '``' : ': undefined',
    );
  return `/(?!)/${/[a-z]*$/.exec(value)?.[0] ?? ''}`;
}
