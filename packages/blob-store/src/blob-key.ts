import { InvalidBlobKeyError } from './blob-store.errors.js';

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
