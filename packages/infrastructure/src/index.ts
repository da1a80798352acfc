export { countModelCalls } from './count-model-calls.js';
export {
  dataDirectory,
  localModelOptions,
  openBlobStore,
  openLargeBlobStore,
  openVectorStore,
  queueLocation,
  vectorDirectory,
} from './engines.js';
export { DiskReserve } from './disk-reserve.js';
export { InfrastructureModule, type InfrastructureOptions } from './infrastructure.module.js';
export { NestLogger } from './nest-logger.js';
export { type ModelSpace, spaceOf, type Spaces, spacesOf } from './spaces.js';
export * from './tokens.js';
