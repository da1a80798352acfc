import {
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
  InvalidBlobKeyError,
} from './blob-store.errors.js';

const FULL = new Set(['ENOSPC', 'EDQUOT']);
const OURS = [BlobNotFoundError, BlobStoreFullError, BlobStoreUnavailableError, InvalidBlobKeyError];

/** The system's name for what went wrong (`ENOENT`, `ENOSPC`, …), or undefined for any other error. */
export function fileErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Whether a file, or a directory on the way to it, does not exist. */
export function isMissing(error: unknown): boolean {
  return fileErrorCode(error) === 'ENOENT';
}

/** The store's own error for one of the file system; errors that have no system code pass unchanged. */
export function toStoreError(error: unknown, operation: string): unknown {
  if (OURS.some((known) => error instanceof known)) return error;
  const code = fileErrorCode(error);
  if (code === undefined) return error;
  if (FULL.has(code)) return new BlobStoreFullError({ cause: error });
  return new BlobStoreUnavailableError(operation, { cause: error });
}
