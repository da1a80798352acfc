export { startQdrantServer } from './qdrant-server.js';
export type { QdrantServerOptions, RunningQdrantServer } from './qdrant-server.js';
