import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore, ByteRange } from './blob-store.port.js';
import { BlobDamagedError, InvalidBlobKeyError } from './blob-store.errors.js';

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

const SEGMENTS = 4;
/** File systems allow names of up to 255 bytes. */
const MAX_SEGMENT_LENGTH = 200;
const SEGMENT = /^[A-Za-z0-9._-]+$/;
const PREFIX = /^[A-Za-z0-9._/-]*$/;

function isSegment(segment: string): boolean {
  return SEGMENT.test(segment) && segment.length <= MAX_SEGMENT_LENGTH && segment !== '.' && segment !== '..';
}

/**
 * Accepts `organization/datasource/run/kind`: four segments of `[A-Za-z0-9._-]`, 1 to 200 characters each,
 * except `.` and `..`. The number is fixed, so that no key is the directory of another one.
 *
 * @throws InvalidBlobKeyError
 */
export function assertBlobKey(key: string): void {
  const segments = key.split('/');
  if (segments.length !== SEGMENTS || !segments.every(isSegment)) throw new InvalidBlobKeyError(key);
}

/**
 * Accepts any prefix of a key, including the empty one.
 *
 * @throws InvalidBlobKeyError
 */
export function assertBlobPrefix(prefix: string): void {
  const segments = prefix.split('/');
  // The last segment may be incomplete, or empty after a slash.
  const completeSegments = segments.slice(0, -1);
  if (!PREFIX.test(prefix) || segments.length > SEGMENTS || !completeSegments.every(isSegment)) {
    throw new InvalidBlobKeyError(prefix);
  }
}

/** A byte range with defaults applied. */
interface ResolvedRange {
  start: number;
  /** Exclusive; null for the end of the blob. */
  end: number | null;
}

/** @throws RangeError if a bound is not a non-negative integer, or `end` is less than `start` */
export function resolveRange({ start = 0, end }: ByteRange = {}): ResolvedRange {
  const bounds = end === undefined ? [start] : [start, end];
  if (!bounds.every((bound) => Number.isSafeInteger(bound) && bound >= 0)) {
    throw new RangeError(`invalid byte range: ${start}..${end ?? ''}`);
  }
  if (end !== undefined && end < start)
    throw new RangeError(`invalid byte range: ${start}..${end} ends before it starts`);
  return { start, end: end ?? null };
}
