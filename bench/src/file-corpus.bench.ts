// Uploads every file of some folders to a running product, whatever it is, and prints what became of each: by type, the
// reasons of refusals with the files, and how long the slowest took. Nothing may crash or hang, and no refusal be
// without a reason: it ends with 1 where something did.
//
//   node dist/file-corpus.bench.js <folder ...> [--parsers 2] [--slowest 10] [--texts <folder>]
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Datasource, DatasourceText } from '@citewell/contracts/http';
import { ApiClient } from './product/api-client.js';
import { withStandalone } from './product/standalone-process.js';

/** Files that are under way at once: enough for the parsers, few enough that times are those of the files. */
const WINDOW = 6;
const POLL_MS = 100;
/** Longer than any file may take with all its attempts. */
const HANGING_MS = 20 * 60_000;
/** Of a text that is kept to be looked at. */
const TEXT_CHARACTERS = 20_000;

interface Outcome {
  readonly file: string;
  readonly bytes: number;
  readonly type: string;
  /** `synched`, the code of an error, `HTTP 415` of a refused upload, or `hangs`. */
  readonly what: string;
  readonly reason: string;
  readonly ms: number;
}

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    parsers: { type: 'string', default: '2' },
    slowest: { type: 'string', default: '10' },
    // Where the beginning of each text that was read is written, to be looked at.
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
  const client = new ApiClient(product.url);
  const datastoreId = await client.createDatastore();
  const outcomes: Outcome[] = [];
  const waiting = files.values();
  await Promise.all(
    Array.from({ length: WINDOW }, async () => {
      for (const file of waiting) outcomes.push(await bringIn(client, datastoreId, file));
    }),
  );
  // Throws when the product is no longer there.
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

async function bringIn(
  client: ApiClient,
  datastoreId: string,
  { path, name }: { path: string; name: string },
): Promise<Outcome> {
  const bytes = await readFile(path);
  const started = performance.now();
  const known = { file: name, bytes: bytes.length, type: extname(path).slice(1).toLowerCase() };
  const ended = (what: string, reason: string): Outcome => ({
    ...known,
    what,
    reason,
    ms: performance.now() - started,
  });
  let created: Datasource;
  try {
    // What a form would send: quotes and line ends have no place in a header.
    created = await client.upload(datastoreId, basename(path).replaceAll(/["\r\n]/g, '_'), bytes);
  } catch (error) {
    const [, status = 'none', body = ''] = /: (\d{3}) ([^]*)$/.exec(String(error)) ?? [];
    return ended(`HTTP ${status}`, body === '' ? String(error) : messageOf(body));
  }
  while (performance.now() - started < HANGING_MS) {
    const { status, error } = await client.datasource(created.id);
    if (status === 'error') return ended(error?.code ?? 'no code', error?.message ?? '');
    if (status === 'synched') {
      const outcome = ended('synched', '');
      if (values.texts !== undefined)
        await keepText(client, created.id, join(values.texts, `${name.replaceAll('/', '_')}.txt`));
      return outcome;
    }
    await sleep(POLL_MS);
  }
  return ended('hangs', '');
}

/** The sentence of an error's envelope. */
function messageOf(body: string): string {
  const { message, details = [] } = JSON.parse(body) as { message: string; details?: { message: string }[] };
  return [message, ...details.map((detail) => detail.message)].join(' ');
}

async function keepText(client: ApiClient, id: string, path: string): Promise<void> {
  const { text } = await client.json<DatasourceText>(
    'GET',
    `datasources/${id}/text?limit=${TEXT_CHARACTERS}`,
  );
  await writeFile(path, text);
}

function print(outcomes: readonly Outcome[]): void {
  const byType = new Map<string, Record<string, number>>();
  for (const { type, what } of outcomes) {
    const row = byType.get(type) ?? {};
    row[what] = (row[what] ?? 0) + 1;
    byType.set(type, row);
  }
  console.table(Object.fromEntries([...byType].sort()));

  const refused = outcomes.filter(({ what }) => what !== 'synched');
  for (const [reason, those] of Object.entries(
    Object.groupBy(refused, ({ what, reason }) => `${what}: ${reason}`),
  ).sort())
    console.log(`\n${reason}\n  ${those?.map(({ file }) => file).join('\n  ')}`);

  const slowest = outcomes.toSorted((one, other) => other.ms - one.ms).slice(0, Number(values.slowest));
  console.log('\nthe slowest, from upload to the end of the run');
  console.table(
    slowest.map(({ file, bytes, what, ms }) => ({ file, bytes, what, seconds: Math.round(ms) / 1000 })),
  );

  const bad = refused.filter(({ what, reason }) => what === 'hangs' || reason === '');
  console.log(
    `${outcomes.length - refused.length} synched, ${refused.length} refused, ${bad.length} without a reason`,
  );
  if (bad.length > 0) process.exitCode = 1;
}
