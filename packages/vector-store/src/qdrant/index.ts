// An entry point of its own: the client of Qdrant takes 30 ms to load, and only some installations use Qdrant.
export { type ClusterChange, rebalanceCluster } from './rebalance-cluster.js';
export { QdrantVectorStore } from './qdrant-vector-store.adapter.js';
export type { QdrantStorageOptions } from './qdrant-collection.js';
