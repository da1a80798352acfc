import {
  BlobDamagedError,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
  InvalidBlobKeyError,
} from './blob-store.errors.js';

const STORE_ERRORS = [
  BlobDamagedError,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
  InvalidBlobKeyError,
];
/** Error names of MinIO, Ceph and Garage for a full disk or an exceeded quota. */
const FULL_NAMES = new Set([
  'XMinioStorageFull',
  'InsufficientStorage',
  'QuotaExceeded',
  'XMinioAdminBucketQuotaExceeded',
]);
const HTTP_INSUFFICIENT_STORAGE = 507;
const HTTP_NOT_IMPLEMENTED = 501;

/**
 * Reads the name and the HTTP status of an error. The error classes cannot be used, because the module of the
 * client is imported lazily.
 */
function readS3Error(error: unknown): { name: string; status: number | undefined } {
  if (!(error instanceof Error)) return { name: '', status: undefined };
  const metadata = '$metadata' in error ? error.$metadata : undefined;
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
      ? metadata.httpStatusCode
      : undefined;
  return { name: error.name, status: typeof status === 'number' ? status : undefined };
}

/** Whether the object does not exist. A missing bucket is a failure of the store instead. */
export function isNotFound(error: unknown): boolean {
  const { name, status } = readS3Error(error);
  return name !== 'NoSuchBucket' && (name === 'NoSuchKey' || name === 'NotFound' || status === 404);
}

/** Whether a range starts at or after the end of the object. */
export function isRangeBeyondEnd(error: unknown): boolean {
  const { name, status } = readS3Error(error);
  return name === 'InvalidRange' || status === 416;
}

/** Whether the server does not implement the request. */
export function isNotImplemented(error: unknown): boolean {
  const { name, status } = readS3Error(error);
  return name === 'NotImplemented' || status === HTTP_NOT_IMPLEMENTED;
}

/** Maps errors of the S3 client to those of the store. */
export function toStoreError(error: unknown, operation: string): unknown {
  if (STORE_ERRORS.some((errorClass) => error instanceof errorClass)) return error;
  const { name, status } = readS3Error(error);
  if (FULL_NAMES.has(name) || status === HTTP_INSUFFICIENT_STORAGE)
    return new BlobStoreFullError({ cause: error });
  return new BlobStoreUnavailableError(operation, { cause: error });
}
