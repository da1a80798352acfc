import { Readable } from 'node:stream';
import {
  assertContent,
  type BlobEntry,
  type BlobFacts,
  type BlobSource,
  type BlobStore,
  type ByteRange,
  checkedStream,
  type PutOptions,
  type PutResult,
  resolveRange,
} from '@citewell/blob-store';
import type { BlobRepository } from '@citewell/database';

/** Up to this size, the content is checked before a stream of it is returned. */
export const CHECKED_AT_OPEN_BYTES = 1024 * 1024;

/**
 * Compares what is read with the size and the digest that the database has recorded. The size is checked whenever a blob
 * is opened, the digest whenever a blob is read to its end. A difference is a `BlobDamagedError`, of `open` or of its
 * stream. A blob that is being written has no recorded size yet, and is not checked.
 */
export class CheckedBlobStore implements BlobStore {
  constructor(
    private readonly store: BlobStore,
    private readonly rows: Pick<BlobRepository, 'find'>,
  ) {}

  async put(key: string, source: BlobSource, options?: PutOptions): Promise<PutResult> {
    return this.store.put(key, source, options);
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    const facts = await this.factsOf(key);
    if (facts === null || !isWhole(range, facts)) return this.store.open(key, range, facts?.bytes);
    if (facts.bytes > CHECKED_AT_OPEN_BYTES)
      return checkedStream(key, await this.store.open(key, undefined, facts.bytes), facts);
    const content = await this.readWhole(key, facts);
    return Readable.from(content.length === 0 ? [] : [content], { objectMode: false });
  }

  async read(key: string, range?: ByteRange): Promise<Buffer> {
    const facts = await this.factsOf(key);
    if (facts === null || !isWhole(range, facts)) return this.store.read(key, range, facts?.bytes);
    return this.readWhole(key, facts);
  }

  async stat(key: string): Promise<{ bytes: number } | null> {
    return this.store.stat(key);
  }

  async delete(keys: readonly string[]): Promise<void> {
    return this.store.delete(keys);
  }

  list(prefix: string): AsyncIterable<BlobEntry> {
    return this.store.list(prefix);
  }

  async sweep(olderThanMs: number): Promise<number> {
    return this.store.sweep(olderThanMs);
  }

  async localPath(key: string): Promise<string | null> {
    return (await this.store.localPath?.(key)) ?? null;
  }

  async ping(): Promise<void> {
    return this.store.ping();
  }

  async close(): Promise<void> {
    return this.store.close();
  }

  private async readWhole(key: string, facts: BlobFacts): Promise<Buffer> {
    const content = await this.store.read(key, undefined, facts.bytes);
    assertContent(key, content, facts);
    return content;
  }

  private async factsOf(key: string): Promise<BlobFacts | null> {
    const row = await this.rows.find(key);
    return row?.committed === true && row.sha256 !== null ? { bytes: row.bytes, sha256: row.sha256 } : null;
  }
}

function isWhole(range: ByteRange | undefined, { bytes }: BlobFacts): boolean {
  const { start, end } = resolveRange(range);
  return start === 0 && (end === null || end >= bytes);
}
