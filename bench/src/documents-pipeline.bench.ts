// Prints what it costs to bring files in, beside parsing them: the files parsed by two parsers alone, and uploaded to a
// running product with two parsers until all are synched, with the CPU time of each of its parts and the most memory that
// a parser and the main process had; in rounds, of which the first finds everything just started, and each between two
// times of parsing alone. Linux only.
//
//   node dist/documents-pipeline.bench.js <file ...> [--files 20] [--rounds 3] [--cpu-profile <folder>]
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ParsableType } from '@citewell/documents';
import { detectFileType } from '@citewell/documents/file-type';
import { ParserSandbox } from '@citewell/worker-parser';
import { ApiClient } from './product/api-client.js';
import { PartCosts } from './product/part-costs.js';
import { withStandalone } from './product/standalone-process.js';
import { round } from './product/timings.js';

const PARSERS = 2;
const SANDBOX_LIMITS = { timeoutMs: 600_000, maxMemoryBytes: 2 ** 30, maxOutputCharacters: 50_000_000 };
/** Asking is work for the product too; when a file was ready, the product says itself. */
const POLL_MS = 250;

interface SourceFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly fileType: ParsableType;
}

const { values, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    // A folder for profiles of the main process.
    'cpu-profile': { type: 'string' },
  },
});
if (paths.length === 0) {
  console.error('usage: documents-pipeline.bench.js <file ...> [--files 20] [--rounds 3]');
  process.exit(2);
}

const sources = await Promise.all(paths.map(readSource));
/** The files that are given, again and again until there are as many as are wanted. */
const files = Array.from(
  { length: Number(values.files) },
  (_, index) => sources[index % sources.length],
).filter((file) => file !== undefined);
const megabytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6;
console.log(`${files.length} files, ${megabytes.toFixed(1)} MB, ${PARSERS} parsers`);

const sandbox = new ParserSandbox({
  processes: PARSERS,
  scratchDirectory: join(tmpdir(), `citewell-bench-${randomUUID()}`),
  ...SANDBOX_LIMITS,
});
const nodeOptions =
  values['cpu-profile'] === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values['cpu-profile']}`];
const variables = { PARSER_CONCURRENCY: String(PARSERS) };
try {
  await withStandalone({ variables, nodeOptions }, async (product) => {
    const client = new ApiClient(product.url);
    const ratios: number[] = [];
    let before = await parseAll();
    for (let number = 1; number <= Number(values.rounds); number += 1) {
      const costs = PartCosts.watch(product.pid);
      const pipelineMs = await bringInAll(client);
      const parts = costs.finish();
      // Machines change their speed: what bringing in is compared with lies around it.
      const after = await parseAll();
      const parsingMs = (before.ms + after.ms) / 2;
      ratios.push(pipelineMs / parsingMs);
      before = after;
      // In the first round, parsers, tokenizer and stemmers are started and loaded.
      console.log(`\nround ${number}${number === 1 ? ', everything just started' : ''}`);
      console.table({
        'parsed in the sandbox alone, before and after': {
          seconds: round(parsingMs / 1000),
          'of parsing': 1,
          pages: after.pages,
        },
        'upload to synched': {
          seconds: round(pipelineMs / 1000),
          'of parsing': round(pipelineMs / parsingMs),
        },
      });
      console.table(parts);
    }
    console.log(
      `\nof parsing, sorted: ${ratios
        .toSorted((a, b) => a - b)
        .map(round)
        .join(', ')}`,
    );
    client.close();
  });
} finally {
  await sandbox.close();
}

async function parseAll(): Promise<{ ms: number; pages: number }> {
  const started = performance.now();
  const documents = await Promise.all(
    files.map(async ({ path, fileType }) => {
      const { pageCount } = await sandbox.parse({ source: path, fileType, fileName: basename(path) });
      return pageCount ?? 0;
    }),
  );
  return { ms: performance.now() - started, pages: documents.reduce((sum, pages) => sum + pages, 0) };
}

/** @returns milliseconds until the last file was ready */
async function bringInAll(client: ApiClient): Promise<number> {
  const datastoreId = await client.createDatastore();
  const started = Date.now();
  const created = await Promise.all(
    files.map((file) => client.upload(datastoreId, basename(file.path), file.bytes)),
  );
  let last = 0;
  for (const { id } of created) last = Math.max(last, await synchedAt(client, id));
  return last - started;
}

async function readSource(path: string): Promise<SourceFile> {
  const bytes = await readFile(path);
  const source = {
    size: bytes.length,
    read: async (start: number, end: number) => bytes.subarray(start, end),
  };
  const fileType = await detectFileType(source, { fileName: basename(path) });
  if (fileType === null) throw new Error(`${path} is none of the types that are read`);
  return { path, bytes, fileType };
}

/** @returns milliseconds since 1970 */
async function synchedAt(client: ApiClient, id: string): Promise<number> {
  for (;;) {
    const { status, error, timestamps } = await client.datasource(id);
    if (status === 'synched' && timestamps.lastSynch !== null) return Date.parse(timestamps.lastSynch);
    if (status === 'error') throw new Error(error?.message);
    await sleep(POLL_MS);
  }
}
