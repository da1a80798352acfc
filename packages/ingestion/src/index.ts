export { type ListedChunk, readChunkList, toChunkLine } from './chunk-list.codec.js';
export {
  documentHash,
  type FingerprintedContent,
  isFingerprintCurrent,
  PIPELINE_VERSION,
  pipelineFingerprint,
} from './pipeline-version.js';
export { RetryLaterError } from './run-executor.js';
export { RunBlobs } from './run-blobs.js';
export { RunExecutor, type StageWork, toIngestionError } from './run-executor.js';
export { Slots } from './slots.js';
export { readinessChecks, runWorkerApp } from './worker-app.js';
export type { QueueWorker } from './queue-workers.js';
export { QueueWorkers } from './queue-workers.js';
