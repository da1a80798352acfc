import type { Readable } from 'node:stream';

/** What a blob is written from. A stream is destroyed, and an iterator returned, when the write fails. */
export type BlobSource = Readable | AsyncIterable<Uint8Array> | Uint8Array;

/** A half-open byte range, like `slice`: `start` is included, `end` is not. What lies past the end is empty. */
export interface ByteRange {
  /** First byte, from 0. Default 0. */
  start?: number;
  /** Byte after the last one. Default: the end of the blob. */
  end?: number;
}

export interface PutOptions {
  /** The most bytes the source may give; one more and the write fails with `BlobTooLargeError`. Default: no limit. */
  maxBytes?: number;
  /** Ends the write; `put` then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface PutResult {
  bytes: number;
  /** Lower-case hexadecimal digest of what was stored. */
  sha256: string;
}

export interface BlobEntry {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/**
 * Bytes under keys, written as a whole: who reads while they are replaced sees all of the old or all of the new ones.
 * Keys have the form `organization/datasource/run/kind` (see `assertBlobKey`).
 *
 * Every method rejects with `BlobStoreUnavailableError` when the store cannot be reached, and with
 * `InvalidBlobKeyError` for a malformed key. An error of the caller's own source is thrown as it is.
 */
export interface BlobStore {
  /**
   * Streams the source into the store while hashing it. Nothing is visible under the key until all of it is
   * there; a failed write leaves what was there before. Of several writes of one key, one wins whole.
   *
   * @throws BlobTooLargeError past `maxBytes`, while streaming
   * @throws BlobStoreFullError when the disk or the bucket's quota is used up
   */
  put(key: string, source: BlobSource, options?: PutOptions): Promise<PutResult>;

  /**
   * Opens a blob for reading. The caller reads the stream to its end or destroys it.
   *
   * @throws BlobNotFoundError
   */
  open(key: string, range?: ByteRange): Promise<Readable>;

  /**
   * Reads a blob, or a range of it, into memory.
   *
   * @throws BlobNotFoundError
   */
  read(key: string, range?: ByteRange): Promise<Buffer>;

  /** The blob's size, or null when there is none under the key. */
  stat(key: string): Promise<{ bytes: number } | null>;

  /** Deletes any number of blobs. Keys without a blob are fine. */
  delete(keys: readonly string[]): Promise<void>;

  /** Every blob whose key begins with the prefix (`''` is all), in no particular order. Unfinished writes never show. */
  list(prefix: string): AsyncIterable<BlobEntry>;

  /**
   * Removes what writes that were cut off by a crash have left behind, and returns how many there were.
   *
   * @param olderThanMs age from which a write counts as abandoned; longer than any upload may take
   */
  sweep(olderThanMs: number): Promise<number>;

  /**
   * The blob's path on this machine, or null where it has none: lets a caller hard-link instead of copy. Whether
   * the blob exists is not checked. The file must not be changed.
   */
  localPath?(key: string): string | null;

  /** Resolves when the store can be reached. A full disk is no failure: what is stored can still be read. */
  ping(): Promise<void>;

  /** Releases connections. The store is not used afterwards. */
  close(): Promise<void>;
}
