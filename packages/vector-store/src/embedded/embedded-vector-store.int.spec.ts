import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vectorStoreConformance } from '../vector-store.conformance.js';
import { EmbeddedVectorStore } from './embedded-vector-store.adapter.js';

vectorStoreConformance('embedded', { canReopen: true, hasScopedIdf: true }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'vector-store-'));
  let store = new EmbeddedVectorStore({ directory });
  return {
    store,
    reopen: async () => {
      await store.close();
      return (store = new EmbeddedVectorStore({ directory }));
    },
    dispose: async () => {
      await store.close();
      await rm(directory, { recursive: true });
    },
  };
});
