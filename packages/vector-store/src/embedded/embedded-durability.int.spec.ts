import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
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

describe('embedded vector store, in trouble', { timeout: 60_000 }, () => {
  let directory: string;
  const space = makeSpace();
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'vector-store-'));
  });
  after(() => rm(directory, { recursive: true }));

  it('keeps every acknowledged point when its process is killed', async () => {
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
        assert.equal(found.length, 40);
        const count = await store.count(space, { organizationId: tenant.organizationId, runId });
        // One batch may have been written without its acknowledgement having been read: whole, or not at all.
        assert.ok(count >= next * 40 && count % 40 === 0, `${count} points, ${next} batches`);
        next = count / 40;
      } finally {
        await store.close();
      }
    }
  });

  it('notices what another process writes and deletes', async () => {
    const tenant = makeTenant();
    const [mine, theirs] = [new EmbeddedVectorStore({ directory }), new EmbeddedVectorStore({ directory })];
    await mine.ensureSpace(space);
    const point = makePoint(tenant, 'seen by both');
    await mine.upsert(space, [point]);
    assert.equal((await theirs.search(space, scopeOf(tenant), lexicalQuery('seen'))).length, 1);
    await theirs.upsert(space, [makePoint(tenant, 'seen later')]);
    assert.equal((await mine.search(space, scopeOf(tenant), lexicalQuery('seen'))).length, 2);
    await theirs.deleteRun({ organizationId: tenant.organizationId, runId: point.runId });
    assert.equal((await mine.search(space, scopeOf(tenant), lexicalQuery('seen'))).length, 1);
    await Promise.all([mine.close(), theirs.close()]);
  });

  it('searches on when no index fits its memory', async () => {
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
    for (const hits of await Promise.all(searches)) assert.equal(hits.length, 1);
    await store.close();
  });

  it('rejects what is pending when its thread dies, and starts another', async () => {
    const thread = new EngineThread({ directory, maxIndexBytes: 1 });
    await thread.call('ensureSpace', { space });
    // Long enough that its answer cannot win against the end of the thread.
    const tenant = makeTenant();
    const batch = encodeBatch(
      Array.from({ length: 5000 }, (_, i) => makePoint(tenant, `never finished ${i}`)),
      8,
    );
    const upsert = thread.call('upsert', { spaceName: space.name, batch });
    const pending = assert.rejects(upsert, VectorStoreUnavailableError);
    await thread.terminate();
    await pending;
    assert.ok((await thread.call('listSpaces', {})).length > 0);
    await thread.close();
    await assert.rejects(thread.call('ping', {}), VectorStoreUnavailableError);
  });

  it('gives the space of what was deleted back, and searches what is left', async () => {
    const own = join(directory, 'space');
    const [large, small] = [makeTenant(), makeTenant()];
    let store = new EmbeddedVectorStore({ directory: own });
    await store.ensureSpace(space);
    const filling = 'page '.repeat(400);
    await store.upsert(
      space,
      Array.from({ length: 1_500 }, () => makePoint(large, filling)),
    );
    await store.upsert(space, [makePoint(small, 'kept')]);
    await store.close();
    const before = (await stat(join(own, 'vectors.sqlite'))).size;

    store = new EmbeddedVectorStore({ directory: own });
    await store.deleteDatastore(large);
    assert.equal((await store.search(space, scopeOf(small), lexicalQuery('kept'))).length, 1);
    await store.close();
    const after = (await stat(join(own, 'vectors.sqlite'))).size;
    assert.ok(after < before / 2, `${before} bytes became ${after}`);
  });

  it('finishes what was asked before it was closed', async () => {
    const store = new EmbeddedVectorStore({ directory });
    const tenant = makeTenant();
    const written = store.upsert(space, [makePoint(tenant, 'just in time')]);
    const found = store.search(space, scopeOf(tenant), lexicalQuery('x'));
    await store.close();
    await Promise.all([written, found, store.close()]);
  });

  it('says that it is unavailable while its directory cannot be used, and recovers', async () => {
    const file = join(directory, 'in-the-way');
    await writeFile(file, '');
    const store = new EmbeddedVectorStore({ directory: join(file, 'below') });
    await assert.rejects(store.ping(), VectorStoreUnavailableError);
    await rm(file);
    await store.ping();
    await store.close();
  });
});

/** @returns the number of batches whose acknowledgement was read */
async function writeUntilKilled(parameters: readonly string[], batches: number): Promise<number> {
  const script = fileURLToPath(new URL('./crash.child.js', import.meta.url));
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
