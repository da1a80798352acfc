import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  type BlobSource,
  type BlobStore,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
  DirectoryBlobStore,
} from '@citewell/blob-store';
import { blobStoreConformance } from '@citewell/blob-store/conformance';
import { createDataSource, type DataSource, migrate, SmallBlobRepository } from '@citewell/database';
import { createTestDatabase } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SMALL_BLOB_BYTES, TieredBlobStore } from './tiered-blob-store.adapter.js';

/** A store over a directory and a database of its own. */
async function createStore() {
  const root = await mkdtemp(join(tmpdir(), 'citewell-tiered-'));
  const database = await createTestDatabase();
  const dataSource: DataSource = await createDataSource({
    url: database.url,
    poolSize: 4,
    applicationName: 'citewell-test',
  }).initialize();
  await migrate(dataSource);
  const [rows, large] = [new SmallBlobRepository(dataSource), new DirectoryBlobStore(root)];
  return {
    store: new TieredBlobStore(rows, large),
    dataSource,
    rows,
    large,
    unfinished: async () => (await readdir(join(root, 'unfinished')).catch(() => [])).length,
    async stop() {
      await dataSource.destroy();
      await database.drop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

blobStoreConformance('small blobs in the database, others in a directory', createStore);

describe('TieredBlobStore', () => {
  let tiers: Awaited<ReturnType<typeof createStore>>;
  let keys = 0;
  const newKey = (): string => `o/d/${(keys += 1)}/text`;

  beforeAll(async () => {
    tiers = await createStore();
  });
  afterAll(() => tiers.stop());

  const small = (fill: string): Buffer => Buffer.alloc(SMALL_BLOB_BYTES, fill);
  const large = (fill: string): Buffer => Buffer.alloc(SMALL_BLOB_BYTES + 1, fill);
  const streamed = (fill: string, blob: typeof small): Readable =>
    Readable.from([Buffer.alloc(3, fill), blob(fill)]);
  const empty = (): Buffer => Buffer.alloc(0);

  /** The content of a blob, if all methods agree about it; null if there is none. */
  async function contentOf(store: BlobStore, key: string): Promise<string | null> {
    const listed: number[] = [];
    for await (const { bytes } of store.list(key)) listed.push(bytes);
    const stat = await store.stat(key);
    if (stat === null) {
      expect(listed).toEqual([]);
      await expect(store.read(key)).rejects.toThrow(BlobNotFoundError);
      return null;
    }
    const content = await store.read(key);
    expect([listed, stat.bytes]).toEqual([[content.length], content.length]);
    expect(await buffer(await store.open(key))).toEqual(content);
    expect(await store.read(key, { start: 1, end: 3 })).toEqual(content.subarray(1, 3));
    expect(await buffer(await store.open(key, { start: 2 }))).toEqual(content.subarray(2));
    return content.subarray(0, 3).toString();
  }

  it.each<[name: string, sources: BlobSource[], tier: 'database' | 'directory']>([
    ['a small blob', [small('a')], 'database'],
    ['a large blob', [large('a')], 'directory'],
    ['a small stream', [streamed('a', empty)], 'database'],
    ['a large stream', [streamed('a', small)], 'directory'],
    ['a small blob over a small one', [small('b'), small('a')], 'database'],
    ['a large blob over a small one', [small('b'), large('a')], 'directory'],
    ['a large stream over a small blob', [small('b'), streamed('a', small)], 'directory'],
    ['a small blob over a large one', [large('b'), small('a')], 'database'],
    ['a large blob over a small one over a large one', [large('c'), small('b'), large('a')], 'directory'],
    ['a small blob over a large one over a small one', [small('c'), large('b'), small('a')], 'database'],
  ])('reads %s, and deletes it in both tiers', async (_, sources, tier) => {
    const key = newKey();
    const { store, rows, large: directory } = tiers;
    for (const source of sources) await store.put(key, source);
    expect(await contentOf(store, key)).toBe('aaa');
    expect(await store.localPath(key)).toBe(tier === 'database' ? null : await directory.localPath(key));
    await store.delete([key]);
    expect(await contentOf(store, key)).toBeNull();
    expect([await rows.size(key), await directory.stat(key)]).toEqual([null, null]);
  });

  it('reads blobs of earlier releases, which are files of any size', async () => {
    const key = newKey();
    await tiers.large.put(key, small('a'));
    expect(await contentOf(tiers.store, key)).toBe('aaa');
    expect(await tiers.store.localPath(key)).toBe(await tiers.large.localPath(key));
  });

  // The second of the two steps does not happen.
  it.each<
    [
      name: string,
      before: Buffer[],
      step: (store: BlobStore, key: string) => Promise<unknown>,
      after: string | null,
    ]
  >([
    [
      'a large blob that replaces a small one',
      [small('b')],
      (store, key) => store.put(key, large('a')),
      'aaa',
    ],
    [
      'a large blob that replaces a small one over a large one',
      [large('c'), small('b')],
      (store, key) => store.put(key, large('a')),
      'aaa',
    ],
    ['a deletion', [large('c'), small('b')], (store, key) => store.delete([key]), null],
  ])('keeps the blob when %s crashes between its steps', async (_, before, step, after) => {
    const key = newKey();
    const { store, rows, large: directory } = tiers;
    for (const source of before) await store.put(key, source);
    const crash = async (): Promise<never> => {
      throw new Error('crash');
    };
    const crashing: SmallBlobRepository = Object.assign(Object.create(rows), { delete: crash });
    await expect(step(new TieredBlobStore(crashing, directory), key)).rejects.toThrow('crash');
    expect(await contentOf(store, key)).toBe('bbb');
    await step(store, key);
    expect(await contentOf(store, key)).toBe(after);
  });

  it('writes, reads and looks up many small blobs with a statement each', async () => {
    const { store, dataSource } = tiers;
    const many = Array.from({ length: 60 }, newKey);
    const query = jest.spyOn(dataSource, 'query');
    await Promise.all(many.map((key) => store.put(key, Buffer.from(key))));
    const contents = await Promise.all(many.map((key) => store.read(key)));
    await Promise.all(many.map((key) => store.stat(key)));
    await store.delete(many);
    const statements = query.mock.calls.map(([statement]) => statement.split(' ')[0]);
    query.mockRestore();
    expect(contents.map(String)).toEqual(many);
    expect(statements).toEqual(['INSERT', 'SELECT', 'SELECT', 'DELETE']);
  });

  it.each([
    ['ECONNREFUSED', BlobStoreUnavailableError],
    ['53100', BlobStoreFullError],
    ['42P01', Error],
  ])('maps the error %s of the database', async (code, errorClass) => {
    const error = Object.assign(new Error('failed'), { code });
    const fail = async (): Promise<never> => {
      throw error;
    };
    const failing = { put: fail, find: fail, size: fail, delete: fail, known: fail, list: fail };
    const store = new TieredBlobStore(failing as unknown as SmallBlobRepository, tiers.large);
    const key = newKey();
    const outcomes = await Promise.allSettled([
      store.put(key, small('a')),
      store.put(key, large('a')),
      store.read(key),
      store.open(key),
      store.stat(key),
      store.localPath(key),
      store.delete([key]),
      Readable.from(store.list('')).toArray(),
    ]);
    for (const outcome of outcomes)
      expect(outcome).toEqual({ status: 'rejected', reason: expect.any(errorClass) });
  });
});
