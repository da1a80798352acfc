export { countModelCalls } from './count-model-calls.js';
export {
  dataDirectory,
  localModelOptions,
  modelDirectory,
  openBlobStore,
  openLargeBlobStore,
  openVectorStore,
  queueLocation,
  vectorDirectory,
  qdrantStorageOf,
} from './engines.js';
export { EmbeddingModels } from './embedding-models.js';
export { DiskReserve, fullDisksOf } from './disk-reserve.js';
export { InfrastructureModule } from './infrastructure.module.js';
export {
  type ConnectionOfVariables,
  type ModelConnection,
  ModelConnections,
  type ModelKind,
  type StoredConnection,
} from './model-connections.js';
export { NestLogger } from './nest-logger.js';
export { OwnConnections } from './own-connections.js';
export {
  comparePoints,
  countStoredPoints,
  findIncompleteRuns,
  isOrphan,
  listServingRuns,
  scanStoredRuns,
  type StoredRun,
} from './points/run-points.js';
export { openEmbeddingServer, requireEmbeddingServer } from './open-embedding-models.js';
export { SecretError, secretFile, Secrets } from './secrets/secrets.js';
export { SettingsPoll } from './settings-poll.js';
export { type ModelSpace, spaceOf, type Spaces, spacesOf } from './embedding-models.js';
export * from './tokens.js';
export { watchProcess } from './watch-process.js';
