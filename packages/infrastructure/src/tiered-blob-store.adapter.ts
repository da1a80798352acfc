import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  assertBlobKey,
  assertBlobPrefix,
  assertSize,
  type BlobEntry,
  type BlobSource,
  type BlobStore,
  BlobStoreFullError,
  BlobStoreUnavailableError,
  BlobTooLargeError,
  type ByteRange,
  type PutOptions,
  type PutResult,
  readAhead,
  resolveRange,
} from '@citewell/blob-store';
import { isDatabaseFull, isDatabaseUnavailable, type SmallBlobRepository } from '@citewell/database';

/**
 * Largest blob in the database. The text of a document of 4,000 characters fits. The fixed costs of a file (two
 * fsyncs and about ten other system calls) matter less for larger blobs, and the database stays small.
 */
export const SMALL_BLOB_BYTES = 8_192;

/** Keys per query when blobs are listed. */
const LISTED_KEYS = 500;

/**
 * Stores small blobs in the database, where the blobs of many documents are written by one statement, and all others
 * in the large blob store. The beginning of a stream is read to learn whether it is small.
 *
 * If a key is in both, the row in the database is the blob. The order of the steps makes every crash harmless:
 * - A large blob replaces a small one: the large one is written, then the row is deleted. Until then the previous blob
 *   is read.
 * - A small blob replaces a large one: the row is written. The large one stays until the key is deleted or gets a large
 *   blob again: to look for it would cost each small write a request, and few keys are ever written twice.
 * - A deletion deletes the row last. Otherwise a replaced large blob would be read again.
 */
export class TieredBlobStore implements BlobStore {
  constructor(
    private readonly rows: SmallBlobRepository,
    private readonly large: BlobStore,
  ) {}

  async put(key: string, source: BlobSource, options: PutOptions = {}): Promise<PutResult> {
    assertBlobKey(key);
    const content = await readAhead(source, { most: SMALL_BLOB_BYTES, signal: options.signal });
    if (content instanceof Uint8Array && content.byteLength <= SMALL_BLOB_BYTES)
      return this.putSmall(key, content, options);
    const result = await this.large.put(key, content, options).catch((error: unknown) => {
      closeSource(content);
      throw error;
    });
    await withStoreErrors('write a blob', this.rows.delete([key]));
    return result;
  }

  async open(key: string, range?: ByteRange, expectedBytes?: number): Promise<Readable> {
    const content = await this.findSmall(key, range, expectedBytes);
    if (content === null) return this.large.open(key, range, expectedBytes);
    return Readable.from(content.length === 0 ? [] : [content], { objectMode: false });
  }

  async read(key: string, range?: ByteRange, expectedBytes?: number): Promise<Buffer> {
    return (await this.findSmall(key, range, expectedBytes)) ?? this.large.read(key, range, expectedBytes);
  }

  async stat(key: string): Promise<{ bytes: number } | null> {
    const bytes = await this.smallSize(key);
    return bytes === null ? this.large.stat(key) : { bytes };
  }

  async delete(keys: readonly string[]): Promise<void> {
    await this.large.delete(keys);
    await withStoreErrors('delete blobs', this.rows.delete(keys));
  }

  async *list(prefix: string): AsyncGenerator<BlobEntry> {
    assertBlobPrefix(prefix);
    let batch: BlobEntry[] = [];
    for await (const entry of this.large.list(prefix)) {
      batch.push(entry);
      if (batch.length < LISTED_KEYS) continue;
      yield* await this.withoutSmall(batch);
      batch = [];
    }
    yield* await this.withoutSmall(batch);
    try {
      yield* this.rows.list(prefix);
    } catch (error) {
      throw toStoreError('list blobs', error);
    }
  }

  /** A statement leaves no unfinished write. */
  async sweep(olderThanMs: number): Promise<number> {
    return this.large.sweep(olderThanMs);
  }

  async localPath(key: string): Promise<string | null> {
    if ((await this.smallSize(key)) !== null) return null;
    return (await this.large.localPath?.(key)) ?? null;
  }

  /** Readiness has a check of its own for the database. */
  async ping(): Promise<void> {
    return this.large.ping();
  }

  /** Keeps the connections to the database, which belong to others. */
  async close(): Promise<void> {
    return this.large.close();
  }

  private async putSmall(
    key: string,
    content: Uint8Array,
    { maxBytes = Infinity, signal }: PutOptions,
  ): Promise<PutResult> {
    signal?.throwIfAborted();
    const bytes = content.byteLength;
    if (bytes > maxBytes) throw new BlobTooLargeError(maxBytes);
    await withStoreErrors('write a blob', this.rows.put(key, content));
    return { bytes, sha256: createHash('sha256').update(content).digest('hex') };
  }

  private async findSmall(key: string, range?: ByteRange, expectedBytes?: number): Promise<Buffer | null> {
    assertBlobKey(key);
    const { start, end } = resolveRange(range);
    const content = await withStoreErrors('read a blob', this.rows.find(key));
    if (content === null) return null;
    assertSize(key, content.length, expectedBytes);
    return content.subarray(start, end ?? content.length);
  }

  private async smallSize(key: string): Promise<number | null> {
    assertBlobKey(key);
    return withStoreErrors('look up a blob', this.rows.size(key));
  }

  /** Leaves out blobs that a small blob has replaced. */
  private async withoutSmall(entries: readonly BlobEntry[]): Promise<BlobEntry[]> {
    const small = await withStoreErrors('list blobs', this.rows.known(entries.map(({ key }) => key)));
    return entries.filter(({ key }) => !small.has(key));
  }
}

/** The store has failed, possibly before it read a source whose beginning was read here. */
function closeSource(source: BlobSource): void {
  if (source instanceof Uint8Array) return;
  const iterator: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]();
  void Promise.resolve(iterator.return?.()).catch(() => undefined);
}

async function withStoreErrors<Result>(operation: string, result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    throw toStoreError(operation, error);
  }
}

/** Maps errors of the database to those of the store. */
function toStoreError(operation: string, error: unknown): unknown {
  if (isDatabaseFull(error)) return new BlobStoreFullError({ cause: error });
  if (isDatabaseUnavailable(error)) return new BlobStoreUnavailableError(operation, { cause: error });
  return error;
}
