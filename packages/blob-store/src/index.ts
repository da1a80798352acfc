export type {
  BlobEntry,
  BlobSource,
  BlobStore,
  ByteRange,
  PutOptions,
  PutResult,
} from './blob-store.port.js';
export {
  assertBlobKey,
  assertBlobPrefix,
  assertContent,
  assertSize,
  type BlobFacts,
  checkedStream,
  resolveRange,
  verifyBlob,
} from './blob-check.js';
export {
  BlobDamagedError,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
  BlobTooLargeError,
} from './blob-store.errors.js';
export { readAhead } from './read-ahead.js';
export { DirectoryBlobStore } from './directory-blob-store.adapter.js';
export { S3BlobStore } from './s3-blob-store.adapter.js';
