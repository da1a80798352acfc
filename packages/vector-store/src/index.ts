export * from './vector-store.errors.js';
export * from './vector-store.port.js';
export { copyEmbeddedVectors, restoreEmbeddedVectors } from './embedded/storage-copy.js';
export { EmbeddedVectorStore } from './embedded/embedded-vector-store.adapter.js';
export type { EmbeddedVectorStoreOptions } from './embedded/embedded-vector-store.adapter.js';
