import { DirectoryBlobStore, S3BlobStore } from '@citewell/blob-store';
import { loadConfig } from '@citewell/config';
import { QdrantVectorStore } from '@citewell/vector-store/qdrant';
import { describe, expect, it } from '@jest/globals';
import { openLargeBlobStore, openVectorStore, queueLocation, showProgress } from './engines.js';

describe('engines', () => {
  it('store large blobs in a folder, or in the configured bucket', async () => {
    const folder = openLargeBlobStore(loadConfig({ CITEWELL_DATA_DIR: '/nowhere' }));
    expect(folder).toBeInstanceOf(DirectoryBlobStore);
    const bucket = openLargeBlobStore(loadConfig({ S3_BUCKET: 'b', S3_ENDPOINT: 'http://127.0.0.1:1' }));
    expect(bucket).toBeInstanceOf(S3BlobStore);
    await folder.close();
    await bucket.close();
  });

  it('use Qdrant when its address is configured', async () => {
    const store = await openVectorStore(loadConfig({ QDRANT_URL: 'http://127.0.0.1:1' }));
    expect(store).toBeInstanceOf(QdrantVectorStore);
    await store.close();
  });

  it('store the queue in the product’s database, or in Redis', () => {
    expect(queueLocation(loadConfig({ REDIS_URL: 'redis://127.0.0.1:1' }), 'postgres://x')).toEqual({
      redisUrl: 'redis://127.0.0.1:1',
    });
    const inDatabase = queueLocation(loadConfig({}), 'postgres://x');
    expect('postgresUrl' in inDatabase && inDatabase.postgresUrl === 'postgres://x').toBe(true);
  });
});

const STEPS = [
  { step: 'installing', text: 'Installing' },
  { step: 'downloading', text: 'Downloading a', done: 0.25 },
  { step: 'downloading', text: 'Downloading a', done: 0.2501 },
  { step: 'downloading', text: 'Downloading a', done: 1 },
] as const;

describe('showProgress', () => {
  it.each([
    [
      true,
      [
        'Installing\n',
        'Downloading a █████░░░░░░░░░░░░░░░  25 %',
        '\rDownloading a ████████████████████ 100 %\n',
      ],
    ],
    [false, ['Installing\n', 'Downloading a\n']],
  ])('on a terminal (%s) writes a bar, elsewhere one line per step', (isTTY, expected) => {
    const written: string[] = [];
    const onProgress = showProgress({ isTTY, write: (text) => written.push(text) });
    for (const step of STEPS) onProgress(step);
    expect(written).toEqual(expected);
  });
});
