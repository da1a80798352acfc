// Uploads every file of some folders, of whatever type, to a running product. Prints the outcomes by file
// type, the files by reason of refusal, and the slowest files. Exits with 1 when the product crashes, a file
// never finishes, or a refusal has no reason.
//
//   node dist/file-corpus.bench.js <folder ...> [--parsers 2] [--slowest 10] [--texts <folder>]
//
// With --texts, the start of each extracted text is written to that folder for inspection.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Datasource, DatasourceText } from '@citewell/contracts/schemas';
import { ApiResponseError, BenchClient } from './product/bench-client.js';
import { withStandalone } from './product/standalone-process.js';

/** Files in progress at the same time. More would make the measured times depend on the queue. */
const CONCURRENCY = 6;
const POLL_MS = 100;
/** Longer than any file may take with all its attempts. */
const TIMEOUT_MS = 20 * 60_000;
/** Characters of each text that `--texts` writes. */
const TEXT_CHARACTERS = 20_000;

interface Outcome {
  readonly file: string;
  readonly bytes: number;
  readonly type: string;
  /** `synched`, an error code, `HTTP <status>` of a refused upload, or `hangs`. */
  readonly result: string;
  readonly reason: string;
  readonly ms: number;
}

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    parsers: { type: 'string', default: '2' },
    slowest: { type: 'string', default: '10' },
    texts: { type: 'string' },
  },
});
if (folders.length === 0) {
  console.error('usage: file-corpus.bench.js <folder ...> [--parsers 2] [--slowest 10] [--texts <folder>]');
  process.exit(2);
}

const files = (await Promise.all(folders.map(filesOf))).flat();
console.log(`${files.length} files`);
if (values.texts !== undefined) await mkdir(values.texts, { recursive: true });

await withStandalone({ variables: { PARSER_CONCURRENCY: values.parsers } }, async (product) => {
  const client = new BenchClient(product.url);
  const datastoreId = await client.createDatastore();
  const outcomes: Outcome[] = [];
  const queue = files.values();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const file of queue) outcomes.push(await ingest(client, datastoreId, file));
    }),
  );
  // Throws if the product has crashed.
  await client.json('GET', 'datastores');
  client.close();
  print(outcomes);
});

async function filesOf(folder: string): Promise<{ path: string; name: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, name: relative(folder, path) }));
}

async function ingest(
  client: BenchClient,
  datastoreId: string,
  { path, name }: { path: string; name: string },
): Promise<Outcome> {
  const bytes = await readFile(path);
  const started = performance.now();
  const known = { file: name, bytes: bytes.length, type: extname(path).slice(1).toLowerCase() };
  const outcomeOf = (result: string, reason: string): Outcome => ({
    ...known,
    result,
    reason,
    ms: performance.now() - started,
  });
  let created: Datasource;
  try {
    // Quotes and line breaks are not allowed in the header of a form part.
    created = await client.upload(datastoreId, {
      name: basename(path).replaceAll(/["\r\n]/g, '_'),
      content: bytes,
    });
  } catch (error) {
    if (!(error instanceof ApiResponseError)) return outcomeOf('HTTP none', String(error));
    return outcomeOf(`HTTP ${error.status}`, error.body === '' ? String(error) : messageOf(error.body));
  }
  while (performance.now() - started < TIMEOUT_MS) {
    const { status, error } = await client.datasource(created.id);
    if (status === 'error') return outcomeOf(error?.code ?? 'no code', error?.message ?? '');
    if (status === 'synched') {
      const outcome = outcomeOf('synched', '');
      if (values.texts !== undefined)
        await saveText(client, created.id, join(values.texts, `${name.replaceAll('/', '_')}.txt`));
      return outcome;
    }
    await sleep(POLL_MS);
  }
  return outcomeOf('hangs', '');
}

/** The messages of an error response. */
function messageOf(body: string): string {
  const { message, details = [] } = JSON.parse(body) as { message: string; details?: { message: string }[] };
  return [message, ...details.map((detail) => detail.message)].join(' ');
}

async function saveText(client: BenchClient, id: string, path: string): Promise<void> {
  const { text } = await client.json<DatasourceText>(
    'GET',
    `datasources/${id}/text?limit=${TEXT_CHARACTERS}`,
  );
  await writeFile(path, text);
}

function print(outcomes: readonly Outcome[]): void {
  const byType = new Map<string, Record<string, number>>();
  for (const { type, result } of outcomes) {
    const row = byType.get(type) ?? {};
    row[result] = (row[result] ?? 0) + 1;
    byType.set(type, row);
  }
  console.table(Object.fromEntries([...byType].sort()));

  const refused = outcomes.filter(({ result }) => result !== 'synched');
  for (const [reason, group] of Object.entries(
    Object.groupBy(refused, ({ result, reason }) => `${result}: ${reason}`),
  ).sort())
    console.log(`\n${reason}\n  ${group?.map(({ file }) => file).join('\n  ')}`);

  const slowest = outcomes.toSorted((a, b) => b.ms - a.ms).slice(0, Number(values.slowest));
  console.log('\nslowest files, from upload to the end of the run');
  console.table(
    slowest.map(({ file, bytes, result, ms }) => ({ file, bytes, result, seconds: Math.round(ms) / 1000 })),
  );

  const unexplained = refused.filter(({ result, reason }) => result === 'hangs' || reason === '');
  console.log(
    `${outcomes.length - refused.length} synched, ${refused.length} refused, ${unexplained.length} without a reason`,
  );
  if (unexplained.length > 0) process.exitCode = 1;
}
