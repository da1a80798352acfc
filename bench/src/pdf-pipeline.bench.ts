// Prints what the pipeline adds to parsing: the same files parsed in this process, parsed in the sandbox alone, and
// uploaded to a running product until they are synched, with the CPU time of each of its parts. Linux only.
//
//   node dist/pdf-pipeline.bench.js <file.pdf ...> [--rounds 3]
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parseDocument } from '@citewell/documents';
import { ParserSandbox } from '@citewell/worker-parser';
import { ApiClient } from './product/api-client.js';
import { processTree } from './product/process-tree.js';
import { withStandalone } from './product/standalone-process.js';
import { round } from './product/timings.js';

const SANDBOX_LIMITS = { timeoutMs: 600_000, maxMemoryBytes: 2 ** 30, maxOutputCharacters: 50_000_000 };
const POLL_MS = 5;
/** Work that goes on behind the answer, such as deleting the scratch file, ends within this. */
const SETTLE_MS = 200;

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
});
const rounds = Number(values.rounds);
if (files.length === 0) {
  console.error('usage: pdf-pipeline.bench.js <file.pdf ...> [--rounds 3]');
  process.exit(2);
}

for (const file of files) await compare(file);

async function compare(file: string): Promise<void> {
  const bytes = await readFile(file);
  // A copy for each parse: pdf.js takes the buffer that it is given.
  const parse = (): Promise<{ pageCount?: number }> =>
    parseDocument(Uint8Array.from(bytes), { fileType: 'application/pdf' });
  const started = performance.now();
  const { pageCount } = await parse();
  const cold = performance.now() - started;
  console.log(`\n${basename(file)}: ${pageCount} pages, ${(bytes.length / 1e6).toFixed(1)} MB`);

  const alone = await timesOf(async () => void (await parse()));
  const sandbox = new ParserSandbox({
    processes: 1,
    scratchDirectory: join(tmpdir(), `citewell-bench-${randomUUID()}`),
    ...SANDBOX_LIMITS,
  });
  const sandboxed = await timesOf(
    async () =>
      void (await sandbox.parse({ source: file, fileType: 'application/pdf', fileName: basename(file) })),
  );
  await sandbox.close();

  await withStandalone({}, async (product) => {
    const client = new ApiClient(product.url);
    const datastoreId = await client.createDatastore();
    const upload = (): Promise<void> => ingest(client, datastoreId, file, bytes);
    const before = cpuByPart(product.pid);
    const first = await timeOf(upload);
    const warm: number[] = [];
    for (let n = 0; n < rounds; n++) warm.push(await timeOf(upload));
    await sleep(SETTLE_MS);
    const after = cpuByPart(product.pid);
    const best = Math.min(...alone);
    const row = ratios({ cold, best });
    console.table({
      'parsed in this process': row(cold, alone),
      'parsed in the sandbox': row(sandboxed[0] ?? NaN, sandboxed.slice(1)),
      'upload to synched': row(first, warm),
    });
    console.log('CPU of one upload, first one included, in ms:');
    console.table(
      Object.fromEntries(
        [...after].map(([part, ms]) => [part, Math.round((ms - (before.get(part) ?? 0)) / (rounds + 1))]),
      ),
    );
    client.close();
  });
}

async function ingest(client: ApiClient, datastoreId: string, file: string, bytes: Buffer): Promise<void> {
  const { id } = await client.upload(datastoreId, basename(file), bytes);
  for (;;) {
    const { status, error } = await client.datasource(id);
    if (status === 'synched') return;
    if (status === 'error') throw new Error(error?.message);
    await sleep(POLL_MS);
  }
}

/** Processes that ended meanwhile count for the product's main process, which has waited for them. */
function cpuByPart(pid: number): Map<string, number> {
  const parts = new Map<string, number>();
  for (const process of processTree(pid)) {
    const part = /parse-child/.test(process.command)
      ? 'parser process'
      : /postgres/.test(process.command)
        ? 'postgres'
        : 'main process (API, chunks, vectors)';
    parts.set(part, (parts.get(part) ?? 0) + process.cpuMs);
  }
  return parts;
}

async function timesOf(work: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n <= rounds; n++) times.push(await timeOf(work));
  return times;
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** A row with its times beside those of parsing: the first with the first, when nothing was loaded, the best with the best. */
function ratios(parsing: { cold: number; best: number }) {
  return (first: number, others: readonly number[]): Record<string, number> => {
    const best = Math.min(...others);
    return {
      'first ms': round(first),
      'of parsing first': round(first / parsing.cold),
      'best ms': round(best),
      'of parsing': round(best / parsing.best),
    };
  };
}
