import { InvalidBlobKeyError } from './blob-store.errors.js';

const SEGMENTS = 4;
/** File systems take names of up to 255 bytes. */
const MAX_SEGMENT_LENGTH = 200;
const SEGMENT = /^[A-Za-z0-9._-]+$/;
const PREFIX = /^[A-Za-z0-9._/-]*$/;

function isSegment(segment: string): boolean {
  return SEGMENT.test(segment) && segment.length <= MAX_SEGMENT_LENGTH && segment !== '.' && segment !== '..';
}

/**
 * Accepts `organization/datasource/run/kind`: exactly four segments of `[A-Za-z0-9._-]`, 1 to 200 characters each,
 * none of them `.` or `..`. Four and no other number, so that no key is the directory of another.
 *
 * @throws InvalidBlobKeyError
 */
export function assertBlobKey(key: string): void {
  const segments = key.split('/');
  if (segments.length !== SEGMENTS || !segments.every(isSegment)) throw new InvalidBlobKeyError(key);
}

/**
 * Accepts the beginning of a key, the empty one included.
 *
 * @throws InvalidBlobKeyError
 */
export function assertBlobPrefix(prefix: string): void {
  const segments = prefix.split('/');
  // The last segment may be unfinished, or empty after a slash.
  const whole = segments.slice(0, -1);
  if (!PREFIX.test(prefix) || segments.length > SEGMENTS || !whole.every(isSegment)) {
    throw new InvalidBlobKeyError(prefix);
  }
}
