import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DirectoryBlobStore, S3BlobStore } from '@citewell/blob-store';
import { loadConfig } from '@citewell/config';
import {
  currentSpace,
  openBlobStore,
  openEmbeddingModel,
  openVectorStore,
  queueLocation,
} from './engines.js';
import { QdrantVectorStore } from '@citewell/vector-store';

describe('engines', () => {
  it('store blobs in a folder, or in the configured bucket', async () => {
    const folder = openBlobStore(loadConfig({ CITEWELL_DATA_DIR: '/nowhere' }));
    assert.ok(folder instanceof DirectoryBlobStore);
    const bucket = openBlobStore(loadConfig({ S3_BUCKET: 'b', S3_ENDPOINT: 'http://127.0.0.1:1' }));
    assert.ok(bucket instanceof S3BlobStore);
    await folder.close();
    await bucket.close();
  });

  it('use Qdrant when its address is configured', async () => {
    const store = openVectorStore(loadConfig({ QDRANT_URL: 'http://127.0.0.1:1' }));
    assert.ok(store instanceof QdrantVectorStore);
    await store.close();
  });

  it('store the queue in the product’s database, or in Redis', () => {
    assert.deepEqual(queueLocation(loadConfig({ REDIS_URL: 'redis://127.0.0.1:1' }), 'postgres://x'), {
      redisUrl: 'redis://127.0.0.1:1',
    });
    const inDatabase = queueLocation(loadConfig({}), 'postgres://x');
    assert.ok('postgresUrl' in inDatabase && inDatabase.postgresUrl === 'postgres://x');
  });

  it('work without an embedding model', async () => {
    assert.equal(await openEmbeddingModel(loadConfig({})), null);
  });
});

describe('currentSpace', () => {
  it('has a different name for every embedding model', () => {
    const lexical = currentSpace(null);
    const small = currentSpace({ fingerprint: 'Small_384', dimensions: 384 });
    const large = currentSpace({ fingerprint: 'Large_1024', dimensions: 1_024 });
    assert.equal(new Set([lexical.name, small.name, large.name]).size, 3);
    assert.deepEqual([lexical.dense, small.dense], [null, { dimensions: 384 }]);
    for (const { name } of [lexical, small, large]) assert.match(name, /^l\d+_[a-z0-9_]+$/);
  });
});
