export * from './vector-store.errors.js';
export * from './vector-store.port.js';
export { copyEmbeddedVectors, restoreEmbeddedVectors } from './embedded/storage.schema.js';
export {
  EmbeddedVectorStore,
  type EmbeddedVectorStoreOptions,
} from './embedded/embedded-vector-store.adapter.js';
