// Compares the text of arbitrary files with that of other readers. A word of the reader that finds most words is lost if
// it is nowhere in our text. Prints the loss by format, and the number of files above a limit by cause.
//
//   node dist/real-files.bench.js <folder> --texts <folder> [--texts <folder>] [--against <checkout>]
//
// --texts    has the text of `<folder>/x.pdf` in `x.pdf.txt`: see bench/README.md
// --against  measures the reader of another compiled checkout in the same run, file by file
// --limit    share of lost words from which a file is listed, default .02
// --list     prints the files above the limit, worst first, with their lost words of the most frequent cause
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import * as ownReader from '@citewell/documents';
import { detectFileType } from '@citewell/documents/file-type';
import { type Loss, lossOf } from './parsing/lost-words.js';

type Reader = Pick<typeof ownReader, 'parseDocument'>;

interface Row {
  readonly file: string;
  readonly format: string;
  /** Of each reader that read the file. */
  readonly losses: readonly (Loss | null)[];
}

/** Files with fewer words say nothing about a reader. */
const MIN_WORDS = 5;
const MAX_SHOWN = 30;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    texts: { type: 'string', multiple: true, default: [] },
    against: { type: 'string' },
    limit: { type: 'string', default: '.02' },
    list: { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (folder === undefined || values.texts.length === 0) {
  console.error(
    'usage: real-files.bench.js <folder> --texts <folder> [--texts <folder>] [--against <checkout>]',
  );
  process.exit(2);
}
const limit = Number(values.limit);
const readers: Reader[] = [ownReader];
if (values.against !== undefined) {
  const file = resolve(values.against, 'packages/documents/dist/index.js');
  readers.unshift((await import(pathToFileURL(file).href)) as Reader);
}

const rows: Row[] = [];
const refused: Record<string, number> = {};
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
  const others = values.texts.map((texts) => join(texts, `${name}.txt`)).filter((file) => existsSync(file));
  if (others.length === 0 || !statSync(join(folder, name)).isFile()) continue;
  const row = await compare(
    name,
    others.map((file) => readFileSync(file, 'utf8')),
  );
  if (row !== null) rows.push(row);
}
print();

async function compare(name: string, others: readonly string[]): Promise<Row | null> {
  const losses: (Loss | null)[] = [];
  for (const reader of readers) losses.push(await lossWith(reader, name, others));
  const isRead = losses.at(-1) != null;
  const isMeasured = losses.every((loss) => loss === null || loss.words >= MIN_WORDS);
  return isRead && isMeasured ? { file: name, format: extname(name).slice(1), losses } : null;
}

async function lossWith(reader: Reader, name: string, others: readonly string[]): Promise<Loss | null> {
  const bytes = Uint8Array.from(readFileSync(join(folder ?? '', name)));
  const source = {
    size: bytes.length,
    read: async (start: number, end: number) => bytes.subarray(start, end),
  };
  try {
    const fileType = await detectFileType(source, { fileName: basename(name) });
    if (fileType === null) return null;
    const document = await reader.parseDocument(Uint8Array.from(bytes), { fileType });
    return lossOf(document, others);
  } catch (error) {
    if (reader !== ownReader) return null;
    const code = error instanceof ownReader.DocumentError ? error.code : String(error);
    refused[code] = (refused[code] ?? 0) + 1;
    return null;
  }
}

function print(): void {
  for (const [index, reader] of readers.entries()) {
    console.log(reader === ownReader ? 'this checkout' : values.against);
    const formats = Map.groupBy(rows, ({ format }) => format);
    console.table(
      Object.fromEntries([...formats].map(([format, group]) => [format, summaryOf(lossesOf(group, index))])),
    );
  }
  console.log('not read:', refused);
  const above = rows
    .map((row) => ({ ...row, loss: row.losses.at(-1) ?? null }))
    .flatMap(({ file, format, loss }) =>
      loss === null || loss.share <= limit ? [] : [{ file, format, loss }],
    )
    .sort((one, other) => other.loss.share - one.loss.share);
  const causes = Map.groupBy(above, ({ format, loss }) => `${format}: ${loss.cause}`);
  console.log(`losses above ${limit} by cause`);
  console.table(Object.fromEntries([...causes].map(([cause, files]) => [cause, { files: files.length }])));
  if (!values.list) return;
  for (const { file, loss } of above) {
    console.log(
      `${loss.share.toFixed(3)} of ${loss.words}  ${loss.cause}  ${file} ${JSON.stringify(loss.leftOut)}`,
    );
    console.log(`       ${[...new Set(loss.lost)].slice(0, MAX_SHOWN).join(' ')}`);
  }
}

function lossesOf(group: readonly Row[], reader: number): Loss[] {
  return group.flatMap(({ losses }) => losses[reader] ?? []);
}

function summaryOf(losses: readonly Loss[]): Record<string, number> {
  const sum = (value: (loss: Loss) => number): number =>
    losses.reduce((total, loss) => total + value(loss), 0);
  return {
    files: losses.length,
    words: sum(({ words }) => words),
    lost: Number(
      (
        sum(({ words, share }) => words * share) /
        Math.max(
          1,
          sum(({ words }) => words),
        )
      ).toFixed(4),
    ),
    'above the limit': losses.filter(({ share }) => share > limit).length,
  };
}
