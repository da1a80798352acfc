// Measures what the pipeline adds to parsing. The same files are parsed in this process, parsed in the
// sandbox, and uploaded to a running product until they are synched. Also prints the CPU time by component.
// Linux only.
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
import { BenchClient } from './product/bench-client.js';
import { processTree } from './product/process-tree.js';
import { withStandalone } from './product/standalone-process.js';
import { round } from './product/timings.js';

const SANDBOX_LIMITS = { timeoutMs: 600_000, maxMemoryBytes: 2 ** 30, maxOutputCharacters: 50_000_000 };
const POLL_MS = 5;
/** Time in which work after the last run ends, such as deleting the scratch file. */
const CLEANUP_MS = 200;

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
  // pdf.js transfers the buffer that it is given, so each parse needs a copy.
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
    const client = new BenchClient(product.url);
    const datastoreId = await client.createDatastore();
    const upload = (): Promise<void> => ingest(client, datastoreId, file, bytes);
    const before = cpuByComponent(product.pid);
    const first = await timeOf(upload);
    const warm: number[] = [];
    for (let n = 0; n < rounds; n++) warm.push(await timeOf(upload));
    await sleep(CLEANUP_MS);
    const after = cpuByComponent(product.pid);
    const best = Math.min(...alone);
    const row = ratios({ cold, best });
    console.table({
      'parsed in this process': row(cold, alone),
      'parsed in the sandbox': row(sandboxed[0] ?? NaN, sandboxed.slice(1)),
      'upload to synched': row(first, warm),
    });
    console.log('mean CPU time of an upload, including the first, in ms:');
    console.table(
      Object.fromEntries(
        [...after].map(([component, ms]) => [
          component,
          Math.round((ms - (before.get(component) ?? 0)) / (rounds + 1)),
        ]),
      ),
    );
    client.close();
  });
}

async function ingest(client: BenchClient, datastoreId: string, file: string, bytes: Buffer): Promise<void> {
  const { id } = await client.upload(datastoreId, { name: basename(file), content: bytes });
  for (;;) {
    const { status, error } = await client.datasource(id);
    if (status === 'synched') return;
    if (status === 'error') throw new Error(error?.message);
    await sleep(POLL_MS);
  }
}

/** CPU time in ms. Child processes that have ended count towards the main process. */
function cpuByComponent(pid: number): Map<string, number> {
  const components = new Map<string, number>();
  for (const process of processTree(pid)) {
    const component = /parse-child/.test(process.command)
      ? 'parser process'
      : /postgres/.test(process.command)
        ? 'postgres'
        : 'main process (API, chunks, vectors)';
    components.set(component, (components.get(component) ?? 0) + process.cpuMs);
  }
  return components;
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

/**
 * Makes a table row that relates the first time to the first of parsing (cold), and the best time to the
 * best.
 */
function ratios(parsing: { cold: number; best: number }) {
  return (first: number, later: readonly number[]): Record<string, number> => {
    const best = Math.min(...later);
    return {
      'first ms': round(first),
      'of parsing first': round(first / parsing.cold),
      'best ms': round(best),
      'of parsing': round(best / parsing.best),
    };
  };
}
