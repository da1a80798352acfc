import { DirectoryBlobStore, S3BlobStore } from '@citewell/blob-store';
import { loadConfig } from '@citewell/config';
import { openLargeBlobStore, openVectorStore, queueLocation } from './engines.js';
import { QdrantVectorStore } from '@citewell/vector-store/qdrant';
import { describe, expect, it } from '@jest/globals';

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
