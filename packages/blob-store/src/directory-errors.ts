import {
  BlobDamagedError,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
  InvalidBlobKeyError,
} from './blob-store.errors.js';

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT']);
const STORE_ERRORS = [
  BlobDamagedError,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
  InvalidBlobKeyError,
];

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'may not be written',
  EPERM: 'may not be written',
  EROFS: 'may not be written',
  ENOTDIR: 'has no folder',
  EEXIST: 'has no folder',
  EIO: 'has a broken disk',
};

/** Returns the system's error code (`ENOENT`, `ENOSPC`, …); undefined for other errors. */
export function fileErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Whether a file or one of its parent directories does not exist. */
export function isMissing(error: unknown): boolean {
  return fileErrorCode(error) === 'ENOENT';
}

/**
 * Maps errors of the file system to those of the store. Errors without a system code are returned unchanged.
 */
export function toStoreError(error: unknown, operation: string): unknown {
  if (STORE_ERRORS.some((errorClass) => error instanceof errorClass)) return error;
  const code = fileErrorCode(error);
  if (code === undefined) return error;
  if (FULL_CODES.has(code)) return new BlobStoreFullError({ cause: error });
  return new BlobStoreUnavailableError(operation, { cause: error, reason: REASONS[code] });
}
