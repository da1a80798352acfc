import { startQdrantServer } from '@citewell/testing';
import { vectorStoreConformance } from '../vector-store.conformance.js';
import type { Quantization } from './qdrant-collection.js';
import { QdrantVectorStore } from './qdrant-vector-store.adapter.js';

// Set `QDRANT_URL` to test a real server; and further settings of collections.
const { QDRANT_URL: url, QDRANT_SHARDS = '1', QDRANT_REPLICAS = '1', QDRANT_QUANTIZATION } = process.env;
if (url) {
  const store = new QdrantVectorStore({
    urls: url.split(','),
    shards: Number(QDRANT_SHARDS),
    replicas: Number(QDRANT_REPLICAS),
    ...(QDRANT_QUANTIZATION && { quantization: QDRANT_QUANTIZATION as Quantization, onDiskVectors: true }),
  });
  const traits = { canReopen: false, hasScopedIdf: await store.supportsScopedIdf() };
  vectorStoreConformance('Qdrant server', traits, async () => ({
    store,
    dispose: async () => {
      for (const { name } of await store.listSpaces())
        if (name.startsWith('suite_'))
          await fetch(`${url.split(',')[0]}/collections/citewell_${name}`, { method: 'DELETE' });
      await store.close();
    },
  }));
}

for (const version of ['1.19.0', '1.18.2']) {
  const traits = { canReopen: false, hasScopedIdf: version >= '1.19' };
  vectorStoreConformance(`Qdrant adapter over the in-memory server ${version}`, traits, async () => {
    const server = await startQdrantServer({ version });
    const store = new QdrantVectorStore({ urls: [server.url], retryBudgetMs: 0 });
    return {
      store,
      dispose: async () => {
        await store.close();
        await server.close();
      },
    };
  });
}
