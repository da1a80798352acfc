import {
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
  InvalidBlobKeyError,
} from './blob-store.errors.js';

const OURS = [BlobNotFoundError, BlobStoreFullError, BlobStoreUnavailableError, InvalidBlobKeyError];
/** Names that servers other than Amazon's use when disk or quota is used up (MinIO, Ceph, Garage). */
const FULL = new Set([
  'XMinioStorageFull',
  'InsufficientStorage',
  'QuotaExceeded',
  'XMinioAdminBucketQuotaExceeded',
]);
const HTTP_INSUFFICIENT_STORAGE = 507;
const HTTP_NOT_IMPLEMENTED = 501;

/** The client's error classes come from a lazily imported module: they are told apart by name and status. */
function describe(error: unknown): { name: string; status: number | undefined } {
  if (!(error instanceof Error)) return { name: '', status: undefined };
  const metadata = '$metadata' in error ? error.$metadata : undefined;
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
      ? metadata.httpStatusCode
      : undefined;
  return { name: error.name, status: typeof status === 'number' ? status : undefined };
}

/** Whether there is no such object. A bucket that is missing is a failure of the store instead. */
export function isAbsent(error: unknown): boolean {
  const { name, status } = describe(error);
  return name !== 'NoSuchBucket' && (name === 'NoSuchKey' || name === 'NotFound' || status === 404);
}

/** Whether a range began at or after the object's end. */
export function isBeyondEnd(error: unknown): boolean {
  const { name, status } = describe(error);
  return name === 'InvalidRange' || status === 416;
}

/** Whether the server has no such request at all. */
export function isNotOffered(error: unknown): boolean {
  const { name, status } = describe(error);
  return name === 'NotImplemented' || status === HTTP_NOT_IMPLEMENTED;
}

/** The store's own error for anything that the S3 client throws. */
export function toStoreError(error: unknown, operation: string): unknown {
  if (OURS.some((known) => error instanceof known)) return error;
  const { name, status } = describe(error);
  if (FULL.has(name) || status === HTTP_INSUFFICIENT_STORAGE) return new BlobStoreFullError({ cause: error });
  return new BlobStoreUnavailableError(operation, { cause: error });
}
