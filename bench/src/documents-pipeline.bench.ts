// Compares the ingestion of files with parsing alone. Each round uploads the files to a running product with
// two parsers and waits until all are synched. Before and after each round, two parsers in a sandbox parse
// the same files. In the first round the product has just started. Also prints CPU time and peak memory by
// component. Linux only.
//
//   node dist/documents-pipeline.bench.js <file ...> [--files 20] [--rounds 3] [--cpu-profile <folder>]
//
// With a folder, the CPU profiles of the main process are written there.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { detectFileType, type FileType } from '@citewell/documents/file-type';
import { ParserSandbox } from '@citewell/worker-parser';
import { BenchClient } from './product/bench-client.js';
import { ComponentCosts } from './product/component-costs.js';
import { withStandalone } from './product/standalone-process.js';
import { round } from './product/timings.js';

const PARSERS = 2;
const SANDBOX_LIMITS = { timeoutMs: 600_000, maxMemoryBytes: 2 ** 30, maxOutputCharacters: 50_000_000 };
/**
 * Polling costs CPU time of the product. The times come from `lastSynch`, so they do not depend on the
 * interval.
 */
const POLL_MS = 250;

interface SourceFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly fileType: FileType;
}

const { values, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    'cpu-profile': { type: 'string' },
  },
});
if (paths.length === 0) {
  console.error('usage: documents-pipeline.bench.js <file ...> [--files 20] [--rounds 3]');
  process.exit(2);
}

const sources = await Promise.all(paths.map(readSource));
/** The given files, repeated until there are `--files` of them. */
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
    const client = new BenchClient(product.url);
    const ratios: number[] = [];
    let before = await parseAll();
    for (let number = 1; number <= Number(values.rounds); number += 1) {
      const recorder = ComponentCosts.record(product.pid);
      const pipelineMs = await ingestAll(client);
      const costs = recorder.finish();
      // Parsing is measured before and after, because the speed of the machine may change meanwhile.
      const after = await parseAll();
      const parsingMs = (before.ms + after.ms) / 2;
      ratios.push(pipelineMs / parsingMs);
      before = after;
      // The first round includes starting the parsers and loading tokenizer and stemmers.
      console.log(`\nround ${number}${number === 1 ? ', just started' : ''}`);
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
      console.table(costs);
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

/** @returns milliseconds from the first upload until the last file was synched */
async function ingestAll(client: BenchClient): Promise<number> {
  const datastoreId = await client.createDatastore();
  const started = Date.now();
  const created = await Promise.all(
    files.map((file) => client.upload(datastoreId, { name: basename(file.path), content: file.bytes })),
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
  if (fileType === null) throw new Error(`${path}: unsupported file type`);
  return { path, bytes, fileType };
}

/** @returns milliseconds since 1970 */
async function synchedAt(client: BenchClient, id: string): Promise<number> {
  for (;;) {
    const { status, error, timestamps } = await client.datasource(id);
    if (status === 'synched' && timestamps.lastSynch !== null) return Date.parse(timestamps.lastSynch);
    if (status === 'error') throw new Error(error?.message);
    await sleep(POLL_MS);
  }
}
