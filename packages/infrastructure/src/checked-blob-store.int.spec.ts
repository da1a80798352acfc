import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  BlobDamagedError,
  type BlobFacts,
  BlobNotFoundError,
  DirectoryBlobStore,
} from '@citewell/blob-store';
import type { BlobEntity } from '@citewell/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHECKED_AT_OPEN_BYTES, CheckedBlobStore } from './checked-blob-store.adapter.js';

const KEY = 'o/s/r/content';
const SIZES = { small: 5_000, large: CHECKED_AT_OPEN_BYTES + 300_000 };

describe('CheckedBlobStore', () => {
  let root: string;
  let store: CheckedBlobStore;
  let directory: DirectoryBlobStore;
  let recorded: (Partial<BlobEntity> & BlobFacts) | null = null;
  const path = (): string => join(root, 'blobs', KEY);

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'citewell-checked-'));
    directory = new DirectoryBlobStore(root);
    // The store reads three columns.
    store = new CheckedBlobStore(directory, { find: async () => recorded as BlobEntity | null });
  });
  afterAll(() => rm(root, { recursive: true }));

  /** Writes a blob and records it. */
  async function write(bytes: number): Promise<Buffer> {
    await rm(path(), { recursive: true, force: true });
    const content = randomBytes(bytes);
    recorded = { committed: true, ...(await store.put(KEY, content)) };
    return content;
  }

  /** The bytes that a reader gets, and the error that ends them. */
  async function readStream(open: Promise<Readable>): Promise<{ bytes: number; error: unknown }> {
    let bytes = 0;
    try {
      for await (const chunk of await open) bytes += Buffer.from(chunk).length;
    } catch (error) {
      return { bytes, error };
    }
    return { bytes, error: null };
  }

  it.each(Object.entries(SIZES))('reads an intact %s blob', async (_, bytes) => {
    const content = await write(bytes);
    expect((await store.read(KEY)).equals(content)).toBe(true);
    expect(await readStream(store.open(KEY))).toEqual({ bytes, error: null });
    expect((await store.read(KEY, { start: 10, end: 20 })).equals(content.subarray(10, 20))).toBe(true);
    expect((await store.read(KEY, { start: 0, end: bytes })).equals(content)).toBe(true);
  });

  const flipped = (content: Buffer, at: number): Buffer => {
    const copy = Buffer.from(content);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
  const damages: Record<string, (content: Buffer) => Promise<unknown>> = {
    'is truncated': () => truncate(path(), 7),
    'has lost its last byte': (content) => truncate(path(), content.length - 1),
    'is empty': () => truncate(path(), 0),
    'is longer': (content) => writeFile(path(), Buffer.concat([content, Buffer.of(0)])),
    'is a directory': async () => {
      await rm(path());
      await mkdir(path());
    },
  };
  describe.each(Object.entries(SIZES))('a %s blob that', (_, bytes) => {
    it.each(Object.entries(damages))('%s is refused, whatever is read of it', async (_name, damage) => {
      await damage(await write(bytes));
      for (const range of [undefined, { start: 0 }, { start: 2, end: 5 }, { start: 0, end: 0 }]) {
        await expect(store.read(KEY, range)).rejects.toThrow(BlobDamagedError);
        await expect(store.open(KEY, range)).rejects.toThrow(BlobDamagedError);
      }
    });

    it.each(['first', 'last'])('has another %s byte is never read to its end', async (which) => {
      const content = await write(bytes);
      await writeFile(path(), flipped(content, which === 'first' ? 0 : bytes - 1));
      await expect(store.read(KEY)).rejects.toThrow(BlobDamagedError);
      await expect(store.read(KEY, { start: 0, end: bytes + 1 })).rejects.toThrow(BlobDamagedError);
      const read = await readStream(store.open(KEY));
      expect(read).toEqual({ bytes: expect.any(Number), error: expect.any(BlobDamagedError) });
      expect(read.bytes).toBeLessThan(bytes);
    });

    it('is missing is reported as missing', async () => {
      await write(bytes);
      await rm(path());
      await expect(store.read(KEY)).rejects.toThrow(BlobNotFoundError);
      await expect(store.open(KEY)).rejects.toThrow(BlobNotFoundError);
    });
  });

  it('does not check a blob that is being replaced, or has no row', async () => {
    const content = await write(100);
    recorded = { bytes: 0, sha256: createHash('sha256').digest('hex'), committed: false };
    expect((await store.read(KEY)).equals(content)).toBe(true);
    recorded = null;
    expect(await readStream(store.open(KEY))).toEqual({ bytes: 100, error: null });
  });

  it('ends the reading of the store when its reader leaves', async () => {
    await write(SIZES.large);
    const stream = await store.open(KEY);
    for await (const _ of stream) break;
    expect(stream.destroyed).toBe(true);
  });
});
