import type { Readable } from 'node:stream';

/**
 * The content of a blob. If the write fails, a stream is destroyed and an iterator is returned (`return()`).
 */
export type BlobSource = Readable | AsyncIterable<Uint8Array> | Uint8Array;

/** A half-open byte range, like that of `slice`. The part beyond the end of the blob is empty. */
export interface ByteRange {
  /** First byte, from 0. Default 0. */
  start?: number;
  /** Byte after the last one. Default: the end of the blob. */
  end?: number;
}

export interface PutOptions {
  /** A longer source makes the write fail with `BlobTooLargeError`. Default: no limit. */
  maxBytes?: number;
  /** Aborts the write. `put` then rejects with the reason of the signal. */
  signal?: AbortSignal;
}

export interface PutResult {
  bytes: number;
  /** Digest of the content, in lower-case hexadecimal. */
  sha256: string;
}

export interface BlobEntry {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/**
 * Stores blobs under keys of the form `organization/datasource/run/kind` (see `assertBlobKey`). Writes are
 * atomic: while a blob is replaced, a reader sees all of the old content or all of the new.
 *
 * Every method rejects with `BlobStoreUnavailableError` if the store cannot be reached, and with
 * `InvalidBlobKeyError` for a malformed key. Errors of the caller's source are rethrown unchanged.
 */
export interface BlobStore {
  /**
   * Streams the source into the store and hashes it. The blob becomes visible when it is complete; a failed
   * write keeps the previous blob. Of concurrent writes of one key, one wins completely.
   *
   * @throws BlobTooLargeError as soon as the source exceeds `maxBytes`
   * @throws BlobStoreFullError if the disk is full or the quota of the bucket is used up
   */
  put(key: string, source: BlobSource, options?: PutOptions): Promise<PutResult>;

  /**
   * Opens a blob for reading. The caller must read the stream to its end or destroy it.
   *
   * @param expectedBytes size of the whole blob, if the caller knows it
   * @throws BlobNotFoundError
   * @throws BlobDamagedError if the blob has another size
   */
  open(key: string, range?: ByteRange, expectedBytes?: number): Promise<Readable>;

  /** Reads a blob, or a range of it, into memory. Parameters and errors are those of {@link BlobStore.open}. */
  read(key: string, range?: ByteRange, expectedBytes?: number): Promise<Buffer>;

  /** Returns the size of a blob; null if there is none. */
  stat(key: string): Promise<{ bytes: number } | null>;

  /** Deletes any number of blobs. Keys without a blob are ignored. */
  delete(keys: readonly string[]): Promise<void>;

  /** Lists blobs by a prefix of their keys (`''` lists all), in no particular order. Omits unfinished writes. */
  list(prefix: string): AsyncIterable<BlobEntry>;

  /**
   * Removes the remains of writes that a crash interrupted, and returns their number.
   *
   * @param olderThanMs age from which a write counts as abandoned; must exceed the duration of any upload
   */
  sweep(olderThanMs: number): Promise<number>;

  /**
   * Returns the path of the blob on this machine, or null if it has none. A caller can then hard-link instead
   * of copy. Does not check whether the blob exists. The file must not be changed.
   */
  localPath?(key: string): Promise<string | null>;

  /** Resolves if the store is available. A full disk is no failure, because blobs can still be read. */
  ping(): Promise<void>;

  /** Releases connections. The store must not be used afterwards. */
  close(): Promise<void>;
}
