import {
  BlobDamagedError,
  BlobNotFoundError,
  type BlobStore,
  BlobStoreUnavailableError,
  verifyBlob,
} from '@citewell/blob-store';

/** `damaged`: its size or digest is not the recorded one. `unreadable`: the store refuses to read it. */
export type BlobFault = 'missing' | 'damaged' | 'unreadable';

/**
 * Opens a blob, which compares its size with the recorded one.
 *
 * @param isDeep reads the blob, which also compares its digest
 * @returns null for an intact blob
 */
export async function findBlobFault(
  store: Pick<BlobStore, 'open'>,
  key: string,
  isDeep: boolean,
): Promise<BlobFault | null> {
  try {
    if (isDeep) await verifyBlob(store, key);
    else (await store.open(key, { start: 0, end: 0 })).destroy();
    return null;
  } catch (error) {
    if (error instanceof BlobNotFoundError) return 'missing';
    if (error instanceof BlobDamagedError) return 'damaged';
    // A disk that cannot read a sector fails in the middle of a file.
    if (error instanceof BlobStoreUnavailableError || (error instanceof Error && 'syscall' in error))
      return 'unreadable';
    throw error;
  }
}
