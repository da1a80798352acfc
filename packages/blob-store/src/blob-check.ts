import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore } from './blob-store.port.js';
import { BlobDamagedError } from './blob-store.errors.js';

/** What was written under a key. */
export interface BlobFacts {
  readonly bytes: number;
  /** Digest of the content, in lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * @param expected undefined if it is not known
 * @throws BlobDamagedError
 */
export function assertSize(key: string, bytes: number | undefined, expected: number | undefined): void {
  if (bytes === undefined || expected === undefined || bytes === expected) return;
  throw new BlobDamagedError(key, `has ${bytes} bytes instead of ${expected}`);
}

/** @throws BlobDamagedError */
export function assertContent(key: string, content: Uint8Array, { bytes, sha256 }: BlobFacts): void {
  assertSize(key, content.byteLength, bytes);
  assertDigest(key, createHash('sha256').update(content).digest('hex'), sha256);
}

/**
 * The same bytes. The stream fails with `BlobDamagedError` if they are not those that were written. The last chunk
 * follows after the check, so that a reader never gets all bytes of a damaged blob.
 */
export function checkedStream(key: string, content: Readable, facts: BlobFacts): Readable {
  return Readable.from(checkedChunks(key, content, facts), { objectMode: false });
}

async function* checkedChunks(
  key: string,
  content: AsyncIterable<Uint8Array>,
  { bytes: expected, sha256 }: BlobFacts,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let bytes = 0;
  let last: Uint8Array | null = null;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    hash.update(chunk);
    if (last !== null) yield last;
    last = chunk;
  }
  assertSize(key, bytes, expected);
  assertDigest(key, hash.digest('hex'), sha256);
  if (last !== null) yield last;
}

function assertDigest(key: string, sha256: string, expected: string): void {
  if (sha256 !== expected) throw new BlobDamagedError(key, 'has another digest than when it was written');
}

/** Reads a blob to its end, so that a store that checks contents checks this one. */
export async function verifyBlob(store: Pick<BlobStore, 'open'>, key: string): Promise<void> {
  for await (const _ of await store.open(key));
}
