// Measures a folder as a source beside uploading the same files: files per second until all answer, an unchanged sync,
// the memory, and how soon 100 changes arrive in a watched folder. Linux only.
//
//   node dist/synced-folder.bench.js [--files 20000] [--by folder] [--by webdav]
//
// The files are Markdown of 1 kB in folders of 100, without an embedding model. They are uploaded over 8 connections. By
// webdav, rclone serves them on loopback; `npm run soak` installs it. Without `--by`, it measures the folder only.
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Datasource } from '@citewell/contracts/schemas';
import { freePort, RCLONE, RcloneServer, storageSettings } from '@citewell/testing/source-servers';
import { BenchClient } from './product/bench-client.js';
import { GeneratedText } from './product/generated-text.js';
import { megabytes, memoryOf, recordPeak } from './product/memory.js';
import { withStandalone } from './product/standalone-process.js';
import { round } from './product/timings.js';

const CONNECTIONS = 8;
const FILES_PER_FOLDER = 100;
const CHANGES = 100;
/** Time after the start in which the product becomes idle. */
const REST_MS = 5_000;
const POLL_MS = 250;

/** No sync by it happens while this runs. */
const SCHEDULE = '0 4 1 1 *';
const LOGIN = { user: 'someone', password: 'a-password' };

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '20000' },
    by: { type: 'string', multiple: true, default: ['folder'] },
  },
});
// A missing program is told before the measurements.
if (values.by.includes('webdav')) await access(RCLONE);
const count = Number(values.files);
const generated = new GeneratedText(1);
const files = Array.from({ length: count }, (_, n) => ({
  path: `${Math.floor(n / FILES_PER_FOLDER)}/file-${n}.md`,
  text: `# File ${n}\n\n${generated.paragraph()} ${generated.paragraph()}`.slice(0, 1_000),
}));

const folder = await mkdtemp(join(tmpdir(), 'citewell-folder-'));
try {
  for (const { path, text } of files) await write(path, text);
  const uploaded = await measureUpload();
  const measured: Record<string, Awaited<ReturnType<typeof measureSource>>> = {};
  if (values.by.includes('folder')) {
    const config = { kind: 'folder', folder, schedule: SCHEDULE };
    measured['folder'] = await measureSource({ FOLDERS: folder }, { config }, true);
  }
  if (values.by.includes('webdav')) measured['webdav'] = await measureWebdav();
  console.log(`${count} Markdown files of 1 kB, without an embedding model`);
  console.table({ uploaded, ...measured });
  for (const [by, { 'files/s': speed, 'unchanged s': unchanged }] of Object.entries(measured)) {
    console.log(`files/s by ${by} ÷ of the uploads: ${round(speed / uploaded['files/s'])}`);
    console.log(`unchanged sync by ${by} ÷ first sync: ${round(unchanged / (count / speed))}`);
  }
} finally {
  await rm(folder, { recursive: true });
}

async function measureUpload(): Promise<Record<'files/s' | 'idle MB' | 'peak MB', number>> {
  return withStandalone({ variables: { EMBEDDING_MODEL: 'none' } }, async ({ url, pid }) => {
    const clients = Array.from({ length: CONNECTIONS }, () => new BenchClient(url));
    const datastoreId = (await clients[0]?.createDatastore()) ?? '';
    await sleep(REST_MS);
    const idle = memoryOf(pid);
    const endRecording = recordPeak(pid);
    const started = performance.now();
    const queue = files.values();
    const sendNext = async (client: BenchClient): Promise<void> => {
      // All connections take from the same iterator.
      for (const { path, text } of queue)
        await client.upload(datastoreId, { name: path.replace('/', '-'), content: Buffer.from(text) });
    };
    await Promise.all(clients.map(sendNext));
    await clients[0]?.waitUntilFinished(datastoreId, POLL_MS);
    const seconds = (performance.now() - started) / 1_000;
    for (const client of clients) client.close();
    return {
      'files/s': round(count / seconds),
      'idle MB': megabytes(idle),
      'peak MB': megabytes(endRecording()),
    };
  });
}

async function measureWebdav() {
  const port = await freePort();
  const server = await RcloneServer.start('webdav', folder, port, LOGIN, { isUnchanging: true });
  const { options, secrets } = storageSettings('webdav', port, LOGIN);
  const config = { kind: 'storage', provider: 'webdav', options, schedule: SCHEDULE };
  const variables = { ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8', RCLONE_PATH: RCLONE };
  try {
    return await measureSource(variables, { config, secrets }, false);
  } finally {
    await server.stop();
  }
}

async function measureSource(
  variables: Record<string, string>,
  source: { config: object; secrets?: object },
  isWatched: boolean,
) {
  return withStandalone({ variables: { EMBEDDING_MODEL: 'none', ...variables } }, async ({ url, pid }) => {
    const client = new BenchClient(url);
    const datastoreId = await client.createDatastore();
    await sleep(REST_MS);
    const idle = memoryOf(pid);
    const endRecording = recordPeak(pid);
    const first = await timed(async () => {
      const body = { type: 'source', datastoreId, ...source };
      const { id } = await client.json<Datasource>('POST', 'datasources', body);
      await finished(client, id);
      return id;
    });
    const id = first.result;
    const firstPeak = endRecording();
    await sleep(REST_MS);
    const rested = memoryOf(pid);
    const endUnchanged = recordPeak(pid);
    const unchanged = await timed(async () => {
      await client.json('POST', `datasources/${id}/sync`, {});
      await finished(client, id);
    });
    const unchangedPeak = endUnchanged();
    const changed = isWatched ? await timed(() => changesArrive(client, datastoreId)) : null;
    client.close();
    return {
      'files/s': round(count / first.seconds),
      'idle MB': megabytes(idle),
      'peak MB': megabytes(firstPeak),
      'unchanged s': round(unchanged.seconds),
      'MB before it': megabytes(rested),
      'its peak MB': megabytes(unchangedPeak),
      ...(changed && { [`${CHANGES} changes s`]: round(changed.seconds) }),
    };
  });
}

async function changesArrive(client: BenchClient, datastoreId: string): Promise<void> {
  const step = Math.max(1, Math.floor(count / CHANGES));
  for (const { path } of files.filter((_, n) => n % step === 0))
    await write(path, `${generated.paragraph()} quetzalcore`);
  const query = { query: 'quetzalcore', topK: CHANGES };
  for (let found = 0; found < Math.min(CHANGES, count); await sleep(POLL_MS))
    found = (await client.json<unknown[]>('POST', `datastores/${datastoreId}/query`, query)).length;
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const started = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - started) / 1_000 };
}

/** Waits for the end of a sync, and of the ingestion of its documents. */
async function finished(client: BenchClient, id: string): Promise<void> {
  for (;;) {
    const { status, progress, error } = await client.json<Datasource>('GET', `datasources/${id}`);
    if (status === 'error') throw new Error(JSON.stringify(error));
    if (status === 'synched' && progress === null) return;
    await sleep(POLL_MS);
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}
