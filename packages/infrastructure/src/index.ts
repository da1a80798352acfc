export {
  type ConnectionOfVariables,
  countModelCalls,
  type ModelConnection,
  ModelConnections,
  type ModelKind,
  OwnConnections,
  type StoredConnection,
} from './model-connections.js';
export {
  dataDirectory,
  localModelOptions,
  languageDirectory,
  modelDirectory,
  openBlobStore,
  openLargeBlobStore,
  openVectorStore,
  queueLocation,
  vectorDirectory,
  qdrantStorageOf,
} from './engines.js';
export { EmbeddingModels, type ModelSpace, spaceOf, type Spaces, spacesOf } from './embedding-models.js';
export { DiskReserve, fullDisksOf } from './disk-reserve.js';
export { InfrastructureModule } from './infrastructure.module.js';
export { NestLogger, watchProcess } from './nest-process.js';
export {
  comparePoints,
  countStoredPoints,
  findIncompleteRuns,
  isOrphan,
  listServingRuns,
  scanStoredRuns,
  type StoredRun,
} from './points/run-points.js';
export { type AllowedNetworks, networksOf } from './organization-networks.js';
export { openEmbeddingServer, requireEmbeddingServer } from './open-embedding-models.js';
export { chatOptionsOf, openChatModel, PictureModels } from './picture-models.js';
export { SecretError, secretFile, Secrets } from './secrets/secrets.js';
export { SettingsPoll } from './settings-poll.js';
export { pageProxyOf, SourceConnections } from './source-connections.js';
export * from './infrastructure.module.js';
