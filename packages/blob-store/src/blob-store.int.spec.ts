import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3Server } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blobStoreConformance } from './blob-store.conformance.js';
import { BlobDamagedError, BlobStoreUnavailableError } from './blob-store.errors.js';
import { DirectoryBlobStore } from './directory-blob-store.adapter.js';
import { S3BlobStore, type S3BlobStoreOptions } from './s3-blob-store.adapter.js';

const temporaryDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'citewell-blobs-'));
const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

blobStoreConformance('directory', async () => {
  const root = await temporaryDirectory();
  return {
    store: new DirectoryBlobStore(root),
    unfinished: async () => (await readdir(join(root, 'unfinished'))).length,
    stop: () => remove(root),
  };
});

async function startS3(): Promise<{ options: S3BlobStoreOptions; stop: () => Promise<void> }> {
  const { stop, ...options } = await startS3Server();
  return { options: { ...options, prefix: 'citewell/' }, stop };
}

blobStoreConformance(
  'S3 (s3rver)',
  async () => {
    const { options, stop } = await startS3();
    return { store: new S3BlobStore(options), stop };
  },
  // s3rver writes objects in place.
  { writesAtomically: false },
);

// Set S3_TEST_ENDPOINT, S3_TEST_BUCKET and the two keys to test another server. This also tests listing and
// aborting multipart uploads, which s3rver does not support.
const { S3_TEST_ENDPOINT, S3_TEST_BUCKET, S3_TEST_ACCESS_KEY_ID, S3_TEST_SECRET_ACCESS_KEY } = process.env;
if (S3_TEST_ENDPOINT) {
  const options = {
    endpoint: S3_TEST_ENDPOINT,
    bucket: S3_TEST_BUCKET ?? 'citewell-test',
    accessKeyId: S3_TEST_ACCESS_KEY_ID ?? 'test',
    secretAccessKey: S3_TEST_SECRET_ACCESS_KEY ?? 'test',
    prefix: `run-${Date.now()}/`,
  };
  blobStoreConformance(`S3 (${S3_TEST_ENDPOINT})`, async () => {
    const store = new S3BlobStore(options);
    return {
      store,
      // A sweep with a negative age removes and counts all unfinished uploads.
      unfinished: () => store.sweep(-60_000),
      stop: async () => undefined,
    };
  });
}

describe('DirectoryBlobStore', () => {
  let root: string;
  let store: DirectoryBlobStore;

  beforeAll(async () => {
    root = await temporaryDirectory();
    store = new DirectoryBlobStore(root);
  });
  afterAll(() => remove(root));

  it('reports a directory in the place of a blob', async () => {
    await mkdir(join(root, 'blobs/o/s/r0/raw'), { recursive: true });
    for (const range of [undefined, { start: 1 }, { start: 0, end: 0 }])
      await expect(store.read('o/s/r0/raw', range)).rejects.toThrow(BlobDamagedError);
    await remove(join(root, 'blobs/o'));
  });

  it('removes directories that become empty by a deletion, and no others', async () => {
    await store.put('o/s/r1/raw', Buffer.of(1));
    await store.put('o/s/r2/raw', Buffer.of(1));
    await store.delete(['o/s/r1/raw']);
    expect(await readdir(join(root, 'blobs/o/s'))).toEqual(['r2']);
    await store.delete(['o/s/r2/raw']);
    expect(await readdir(join(root, 'blobs'))).toEqual([]);
  });

  it('supports concurrent deletions and writes in the same directory', async () => {
    const keys = Array.from({ length: 8 }, (_, n) => `busy/source/run/kind-${n}`);
    const rounds = Array.from({ length: 20 }, (_, n) => n);
    const writeAndDelete = async (key: string): Promise<void> => {
      for (const n of rounds) {
        await store.put(key, Buffer.of(n));
        await store.delete([key]);
      }
      await store.put(key, Buffer.from(key));
    };
    await Promise.all(keys.map(writeAndDelete));
    for (const key of keys) expect((await store.read(key)).toString()).toBe(key);
    await store.delete(keys);
  });

  it('does not list unfinished writes, and sweeps them by age', async () => {
    await mkdir(join(root, 'unfinished'), { recursive: true });
    const old = join(root, 'unfinished', 'old');
    await writeFile(old, 'x');
    await utimes(old, new Date(0), new Date(0));
    await writeFile(join(root, 'unfinished', 'young'), 'x');
    for await (const entry of store.list('')) assert.fail(entry.key);
    expect(await store.sweep(60_000)).toBe(1);
    expect(await readdir(join(root, 'unfinished'))).toEqual(['young']);
  });

  it('returns the local path of a blob', async () => {
    expect(await store.localPath('o/s/r/raw')).toBe(join(root, 'blobs/o/s/r/raw'));
  });

  it('is unavailable if its directory cannot be created', async () => {
    const file = join(root, 'a-file');
    await writeFile(file, '');
    const blocked = new DirectoryBlobStore(join(file, 'below'));
    await expect(blocked.ping()).rejects.toThrow(BlobStoreUnavailableError);
    await expect(blocked.put('o/s/r/raw', Buffer.of(1))).rejects.toThrow(BlobStoreUnavailableError);
  });
});

describe('S3BlobStore', () => {
  it('sweeps nothing if the server cannot list unfinished uploads', async () => {
    const { options, stop } = await startS3();
    const store = new S3BlobStore(options);
    try {
      expect(await store.sweep(0)).toBe(0);
      await expect(new S3BlobStore({ ...options, bucket: 'none' }).sweep(0)).rejects.toThrow(
        BlobStoreUnavailableError,
      );
    } finally {
      await store.close();
      await stop();
    }
  });

  it('is unavailable if the server or the bucket is missing, or the access key is unknown', async () => {
    const { options, stop } = await startS3();
    const wrongOptions: S3BlobStoreOptions[] = [
      { ...options, endpoint: 'http://127.0.0.1:1' },
      { ...options, bucket: 'no-such-bucket' },
      // s3rver does not verify version 4 signatures, but rejects unknown access keys.
      { ...options, accessKeyId: 'UNKNOWN' },
    ];
    try {
      for (const wrong of wrongOptions) {
        const store = new S3BlobStore(wrong);
        await expect(store.put('o/s/r/raw', Buffer.of(1))).rejects.toThrow(BlobStoreUnavailableError);
        await expect(store.read('o/s/r/raw')).rejects.toThrow(BlobStoreUnavailableError);
        await expect(store.ping()).rejects.toThrow(BlobStoreUnavailableError);
        await store.close();
      }
    } finally {
      await stop();
    }
  });
});

describe('an S3 server that is silent', () => {
  /** Longer than an event loop is blocked on a busy machine. */
  const SILENCE_MS = 1_000;
  const BYTES = 8_000_000;

  /** A store whose server answers with `answer`. Connections are counted. */
  const withServer = async (
    answer: RequestListener,
    test: (store: S3BlobStore, connections: () => number) => Promise<void>,
  ): Promise<void> => {
    const server = createServer(answer);
    let connections = 0;
    server.on('connection', () => (connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const endpoint = `http://127.0.0.1:${address.port}`;
    const keys = { accessKeyId: 'a', secretAccessKey: 's' };
    const store = new S3BlobStore({ endpoint, bucket: 'b', ...keys, silenceLimitMs: SILENCE_MS });
    try {
      await test(store, () => connections);
    } finally {
      await store.close();
      server.closeAllConnections();
      server.close();
    }
  };
  const silent: RequestListener = () => undefined;

  it.each([
    ['a write', (store: S3BlobStore) => store.put('o/s/r/raw', Buffer.alloc(100_000))],
    ['a read', (store: S3BlobStore) => store.read('o/s/r/raw')],
    ['a look-up', (store: S3BlobStore) => store.stat('o/s/r/raw')],
    ['a deletion', (store: S3BlobStore) => store.delete(['o/s/r/raw'])],
  ])('is unavailable to %s, which was tried on several connections', async (_name, call) => {
    await withServer(silent, async (store, connections) => {
      await expect(call(store)).rejects.toThrow(BlobStoreUnavailableError);
      expect(connections()).toBeGreaterThan(1);
    });
  });

  it('is none, if a large blob takes its time to the server', async () => {
    await withServer(
      (request, response) => {
        setTimeout(
          () => request.resume().on('end', () => response.setHeader('etag', '"e"').end()),
          2.5 * SILENCE_MS,
        );
      },
      async (store, connections) => {
        expect(await store.put('o/s/r/raw', Buffer.alloc(BYTES))).toMatchObject({ bytes: BYTES });
        expect(connections()).toBe(1);
      },
    );
  });

  it('is unavailable in the middle of a blob', async () => {
    await withServer(
      (_request, response) => response.writeHead(200, { 'content-length': BYTES }).write(Buffer.alloc(10)),
      async (store) => {
        await expect(store.read('o/s/r/raw')).rejects.toThrow(BlobStoreUnavailableError);
      },
    );
  });

  it('is none, if the reader of a blob takes its time', async () => {
    await withServer(
      (_request, response) => response.writeHead(200, { 'content-length': BYTES }).end(Buffer.alloc(BYTES)),
      async (store) => {
        let bytes = 0;
        for await (const piece of await store.open('o/s/r/raw')) {
          if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 2.5 * SILENCE_MS));
          bytes += (piece as Buffer).length;
        }
        expect(bytes).toBe(BYTES);
      },
    );
  });
});
