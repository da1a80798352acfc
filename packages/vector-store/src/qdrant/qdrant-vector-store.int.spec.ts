import { startQdrantServer } from '@citewell/testing';
import { vectorStoreConformance } from '../vector-store.conformance.js';
import { QdrantVectorStore } from './qdrant-vector-store.adapter.js';

// Set `QDRANT_URL` to test a real server; set shards and replicas as well to test a cluster.
const { QDRANT_URL: url, QDRANT_SHARDS = '1', QDRANT_REPLICAS = '1' } = process.env;
if (url) {
  vectorStoreConformance('Qdrant server', async () => {
    const store = new QdrantVectorStore({
      url,
      shards: Number(QDRANT_SHARDS),
      replicas: Number(QDRANT_REPLICAS),
    });
    const scopedIdf = await store.supportsScopedIdf();
    return {
      store,
      ...(!scopedIdf && {
        sharedStatistics: 'Qdrant before 1.19 counts document frequencies over the whole shard',
      }),
      dispose: () => store.close(),
    };
  });
}

for (const version of ['1.19.0', '1.18.2']) {
  vectorStoreConformance(`Qdrant adapter over the in-memory server ${version}`, async () => {
    const server = await startQdrantServer({ version });
    const store = new QdrantVectorStore({ url: server.url, retryBudgetMs: 0 });
    return {
      store,
      ...(version < '1.19' && {
        sharedStatistics: 'a server before 1.19 counts document frequencies over the whole shard',
      }),
      dispose: async () => {
        await store.close();
        await server.close();
      },
    };
  });
}
