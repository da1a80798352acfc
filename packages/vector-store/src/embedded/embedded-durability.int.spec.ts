import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  lexicalQuery,
  makePoint,
  makeSpace,
  makeTenant,
  scopeOf,
} from '../conformance/conformance.fixtures.js';
import { VectorStoreUnavailableError } from '../vector-store.errors.js';
import { EmbeddedVectorStore } from './embedded-vector-store.adapter.js';
import { EngineThread } from './engine-thread.js';
import { encodeBatch } from './point-batch.codec.js';
import { STORAGE_FILE } from './storage.schema.js';

describe('EmbeddedVectorStore under failures', () => {
  let directory: string;
  const space = makeSpace();
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'vector-store-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('keeps every acknowledged point if its process is killed', async () => {
    const tenant = makeTenant();
    const runId = randomUUID();
    let next = 0;
    for (let kill = 0; kill < 4; kill++) {
      next = await writeUntilKilled(
        [directory, space.name, ...Object.values(tenant), runId, String(next)],
        5 + kill * 4,
      );
      const store = new EmbeddedVectorStore({ directory });
      try {
        const found = await store.search(
          space,
          scopeOf(tenant),
          lexicalQuery(`batch${next - 1}`, { limit: 100 }),
        );
        expect(found).toHaveLength(40);
        const count = await store.count(space, { organizationId: tenant.organizationId, runId });
        // One more batch may be stored than acknowledgements were read, but never a part of a batch.
        expect(count).toBeGreaterThanOrEqual(next * 40);
        expect(count % 40).toBe(0);
        next = count / 40;
      } finally {
        await store.close();
      }
    }
  });

  it('keeps no bytes of deleted points in its files', async () => {
    const tenant = makeTenant();
    const own = await mkdtemp(join(tmpdir(), 'vector-store-'));
    const store = new EmbeddedVectorStore({ directory: own });
    const kept = makePoint(tenant, 'keptword stays');
    // Longer than a page, in pages of several rows, and replaced by a later write.
    const points = [
      makePoint(tenant, `secretword ${'long '.repeat(5_000)}`),
      ...Array.from({ length: 60 }, (_, n) => makePoint(tenant, `secretword in row ${n}`)),
    ];
    await store.ensureSpace(space);
    await store.upsert(space, [kept, ...points]);
    const has = async (word: string): Promise<string[]> => {
      const names = await readdir(own);
      const texts = await Promise.all(names.map(async (name) => readFile(join(own, name), 'latin1')));
      return names.filter((_, n) => texts[n]?.includes(word) === true);
    };
    expect(await has('secretword')).not.toEqual([]);
    const { organizationId } = tenant;
    const [first, ...others] = points;
    await store.deleteRun({ organizationId, runId: first?.runId ?? '' });
    for (const { datasourceId } of others) await store.deleteDatasource({ organizationId, datasourceId });
    expect(await has('secretword')).toEqual([]);
    expect(await has('keptword')).toEqual([STORAGE_FILE]);

    // A process that reads keeps the log, and the deletion is not acknowledged until it has ended.
    await store.upsert(space, [first ?? kept]);
    const other = new DatabaseSync(join(own, STORAGE_FILE), { readOnly: true });
    other.exec('BEGIN; SELECT count(*) FROM points');
    other.prepare('SELECT count(*) FROM points').get();
    const deletion = { organizationId, runId: first?.runId ?? '' };
    await expect(store.deleteRun(deletion)).rejects.toThrow(VectorStoreUnavailableError);
    other.close();
    await store.deleteRun(deletion);
    expect(await has('secretword')).toEqual([]);
    await store.close();
    await rm(own, { recursive: true });
  });

  it('sees the writes and deletions of another engine on the same directory', async () => {
    const tenant = makeTenant();
    const [first, second] = [new EmbeddedVectorStore({ directory }), new EmbeddedVectorStore({ directory })];
    await first.ensureSpace(space);
    const point = makePoint(tenant, 'seen by both');
    await first.upsert(space, [point]);
    expect(await second.search(space, scopeOf(tenant), lexicalQuery('seen'))).toHaveLength(1);
    await second.upsert(space, [makePoint(tenant, 'seen later')]);
    expect(await first.search(space, scopeOf(tenant), lexicalQuery('seen'))).toHaveLength(2);
    await second.deleteRun({ organizationId: tenant.organizationId, runId: point.runId });
    expect(await first.search(space, scopeOf(tenant), lexicalQuery('seen'))).toHaveLength(1);
    await Promise.all([first.close(), second.close()]);
  });

  it('searches correctly if no index fits into its memory budget', async () => {
    const store = new EmbeddedVectorStore({ directory, maxIndexBytes: 1 });
    await store.ensureSpace(space);
    const tenants = Array.from({ length: 4 }, makeTenant);
    for (const tenant of tenants) {
      const run = { runId: randomUUID(), datasourceId: randomUUID() };
      await store.upsert(
        space,
        Array.from({ length: 700 }, (_, i) => makePoint(tenant, `crowded ${i}`, run)),
      );
    }
    const searches = [...tenants, ...tenants].map((tenant, i) =>
      store.search(space, scopeOf(tenant), lexicalQuery(`${i * 50}`)),
    );
    for (const hits of await Promise.all(searches)) expect(hits).toHaveLength(1);
    await store.close();
  });

  it('rejects pending calls if its thread exits, and starts another thread', async () => {
    const thread = new EngineThread({ directory, maxIndexBytes: 1 });
    await thread.call('ensureSpace', { space });
    // Large enough that the upsert cannot complete before the thread ends.
    const tenant = makeTenant();
    const batch = encodeBatch(
      Array.from({ length: 5000 }, (_, i) => makePoint(tenant, `never finished ${i}`)),
      8,
    );
    const upsert = thread.call('upsert', { spaceName: space.name, batch });
    const pending = expect(upsert).rejects.toThrow(VectorStoreUnavailableError);
    await thread.terminate();
    await pending;
    expect((await thread.call('listSpaces', {})).length).toBeGreaterThan(0);
    await thread.close();
    await expect(thread.call('ping', {})).rejects.toThrow(VectorStoreUnavailableError);
  });

  it('shrinks its file after a large deletion and keeps the other points', async () => {
    const ownDirectory = join(directory, 'space');
    const [large, small] = [makeTenant(), makeTenant()];
    const runId = randomUUID();
    let store = new EmbeddedVectorStore({ directory: ownDirectory });
    await store.ensureSpace(space);
    const filling = 'page '.repeat(400);
    await store.upsert(
      space,
      Array.from({ length: 1_500 }, () => makePoint(large, filling, { runId })),
    );
    await store.upsert(space, [makePoint(small, 'kept')]);
    await store.close();
    const before = (await stat(join(ownDirectory, 'vectors.sqlite'))).size;

    store = new EmbeddedVectorStore({ directory: ownDirectory });
    await store.deleteRun({ organizationId: large.organizationId, runId });
    expect(await store.search(space, scopeOf(small), lexicalQuery('kept'))).toHaveLength(1);
    await store.close();
    const after = (await stat(join(ownDirectory, 'vectors.sqlite'))).size;
    expect(after).toBeLessThan(before / 2);
  });

  it('searches and deletes points of version 1, which had one float32 vector each, by terms only', async () => {
    const ownDirectory = join(directory, 'version-1');
    const tenant = makeTenant();
    const point = makePoint(tenant, 'written long ago');
    let store = new EmbeddedVectorStore({ directory: ownDirectory });
    await store.ensureSpace(space);
    await store.upsert(space, [point]);
    await store.close();
    const database = new DatabaseSync(join(ownDirectory, 'vectors.sqlite'));
    for (const table of ['points', 'vectors']) database.exec(`ALTER TABLE ${table} DROP COLUMN checksum`);
    database.exec('ALTER TABLE points DROP COLUMN confidence');
    database.exec('PRAGMA user_version = 1');
    database.prepare('UPDATE vectors SET dense = ?').run(new Uint8Array(Float32Array.of(1, 2, 3).buffer));
    database.close();

    store = new EmbeddedVectorStore({ directory: ownDirectory });
    const old = { name: space.name, dense: null };
    expect(await store.listSpaces()).toEqual([old]);
    expect(await store.search(old, scopeOf(tenant), lexicalQuery('long'))).toHaveLength(1);
    const scope = { organizationId: tenant.organizationId, runId: point.runId };
    expect((await store.fetchVectors(old, scope, [point.contentHash])).size).toBe(0);
    await store.deleteRun(scope);
    expect(await store.count(old, scope)).toBe(0);
    await store.close();
  });

  it('completes calls that were made before close', async () => {
    const store = new EmbeddedVectorStore({ directory });
    const tenant = makeTenant();
    const written = store.upsert(space, [makePoint(tenant, 'just in time')]);
    const found = store.search(space, scopeOf(tenant), lexicalQuery('x'));
    await store.close();
    await Promise.all([written, found, store.close()]);
  });

  it('is unavailable while its directory cannot be created, and recovers', async () => {
    const file = join(directory, 'in-the-way');
    await writeFile(file, '');
    const store = new EmbeddedVectorStore({ directory: join(file, 'below') });
    await expect(store.ping()).rejects.toThrow(VectorStoreUnavailableError);
    await rm(file);
    await store.ping();
    await store.close();
  });
});

/** @returns the number of batches whose acknowledgement was read */
async function writeUntilKilled(parameters: readonly string[], batches: number): Promise<number> {
  const script = fileURLToPath(new URL('./test-files/crash.child.js', import.meta.url));
  const child = spawn(process.execPath, [script, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  let seen = 0;
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    seen = printed.split('\n').length - 1;
    if (seen >= batches) break;
  }
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return Number(printed.split('\n')[seen - 1]) + 1;
}
