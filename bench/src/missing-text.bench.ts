// Reads the files of some folders and prints, by type, how many documents have a warning that text is missing, and the
// share of the reading time that the comparison takes. A sampling profile of the same run measures that share.
//
//   node dist/missing-text.bench.js <folder ...> [--list]
//
// --list  prints each warning
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import type { Profiler } from 'node:inspector';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { DocumentError, parseDocument } from '@citewell/documents';
import { detectFileType } from '@citewell/documents/file-type';

/** Functions of the comparison, with what they call. */
const COMPARISON: ReadonlySet<string> = new Set(['warnOfMissing', 'runTextOf', 'tagFreeText', 'seeText']);
/** Times that no function of this process takes. */
const OUTSIDE: ReadonlySet<string> = new Set(['(idle)', '(program)', '(garbage collector)']);
const READER = /packages\/documents\/dist/;

interface Sum {
  read: number;
  refused: number;
  warned: number;
  microseconds: number;
  comparison: number;
}

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false } },
});
if (folders.length === 0) {
  console.error('usage: missing-text.bench.js <folder ...> [--list]');
  process.exit(2);
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
const sums = new Map<string, Sum>();
const warnings: string[] = [];
for (const folder of folders) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = join(folder, name);
    if (statSync(file).isFile()) await read(file);
  }
}
console.table(
  Object.fromEntries(
    [...sums].map(([type, { read: documents, refused, warned, microseconds, comparison }]) => [
      type,
      {
        documents,
        refused,
        'with a warning': warned,
        'reading (ms)': Math.round(microseconds / 1_000),
        'share of the comparison': Number((comparison / microseconds).toFixed(4)),
      },
    ]),
  ),
);
if (values.list) for (const warning of warnings) console.log(warning);
process.exit(0);

async function read(file: string): Promise<void> {
  const bytes = Uint8Array.from(readFileSync(file));
  const source = {
    size: bytes.length,
    read: async (start: number, end: number) => bytes.subarray(start, end),
  };
  const fileName = basename(file);
  const fileType = await detectFileType(source, { fileName });
  if (fileType === null) return;
  const sum = sums.get(fileType) ?? { read: 0, refused: 0, warned: 0, microseconds: 0, comparison: 0 };
  sums.set(fileType, sum);
  await session.post('Profiler.start');
  try {
    const document = await parseDocument(bytes, { fileType, fileName });
    sum.read += 1;
    const warning = document.warnings.find(({ message }) => message.includes('Not read:'));
    if (warning !== undefined) {
      sum.warned += 1;
      warnings.push(`${file}: ${warning.message}`);
    }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    sum.refused += 1;
  } finally {
    const { profile } = await session.post('Profiler.stop');
    addTimes(profile, sum);
  }
}

function addTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, sum: Sum): void {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  for (const [index, sample] of samples.entries()) {
    if (OUTSIDE.has(byId.get(sample)?.callFrame.functionName ?? '')) continue;
    const microseconds = timeDeltas[index] ?? 0;
    let isReading = false;
    let isComparison = false;
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const frame = byId.get(id)?.callFrame;
      isReading ||= READER.test(frame?.url ?? '') || (frame?.url ?? '').includes('pdfjs');
      isComparison ||= COMPARISON.has(frame?.functionName ?? '');
    }
    if (isReading) sum.microseconds += microseconds;
    if (isComparison) sum.comparison += microseconds;
  }
}
