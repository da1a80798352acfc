import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assertBlobKey, assertBlobPrefix, resolveRange } from './blob-check.js';
import { BlobStoreFullError, BlobStoreUnavailableError, InvalidBlobKeyError } from './blob-store.errors.js';
import { toStoreError as fromFileError } from './directory-blob-store.adapter.js';
import { toStoreError as fromS3Error } from './s3-blob-store.adapter.js';

const segment = fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,30}$/);

describe('blob keys', () => {
  it('accepts four segments, and every prefix of such a key', () => {
    fc.assert(
      fc.property(fc.tuple(segment, segment, segment, segment), fc.nat(), (segments, cut) => {
        const key = segments.join('/');
        assertBlobKey(key);
        const prefix = key.slice(0, cut % (key.length + 1));
        // The prefix may end in `..`: an incomplete last segment is never resolved as a path.
        assertBlobPrefix(prefix);
      }),
    );
  });

  it('rejects keys that could leave the directory', () => {
    const invalid = [
      'a/b/c/',
      'a/b/./d',
      'a/b/../d',
      '..',
      'a\\b/c/d/e',
      'a/b/c/d\0',
      'a/b/c/ d',
      `a/b/c/${'x'.repeat(201)}`,
    ];
    for (const key of invalid) expect(() => assertBlobKey(key)).toThrow(InvalidBlobKeyError);
    for (const prefix of ['/', 'a//', '../x', 'a/../b', 'a/b/c/d/e', 'ü']) {
      expect(() => assertBlobPrefix(prefix)).toThrow(InvalidBlobKeyError);
    }
  });
});

describe('byte ranges', () => {
  it('have defaults, and are rejected if they are invalid', () => {
    expect(resolveRange()).toEqual({ start: 0, end: null });
    expect(resolveRange({ start: 3, end: 3 })).toEqual({ start: 3, end: 3 });
    for (const range of [{ start: -1 }, { start: 0.5 }, { end: NaN }, { start: 2, end: 1 }]) {
      expect(() => resolveRange(range)).toThrow(RangeError);
    }
  });
});

describe('toStoreError', () => {
  const systemError = (code: string): Error => Object.assign(new Error(code), { code });
  const httpError = (name: string, httpStatusCode: number): Error =>
    Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });

  it('distinguishes a full disk from other file system errors', () => {
    expect(fromFileError(systemError('ENOSPC'), 'x')).toBeInstanceOf(BlobStoreFullError);
    expect(fromFileError(systemError('EDQUOT'), 'x')).toBeInstanceOf(BlobStoreFullError);
    expect(fromFileError(systemError('EIO'), 'x')).toBeInstanceOf(BlobStoreUnavailableError);
    const otherError = new Error('not a file system error');
    expect(fromFileError(otherError, 'x')).toBe(otherError);
  });

  it('distinguishes a full bucket from other S3 errors', () => {
    expect(fromS3Error(httpError('XMinioStorageFull', 507), 'x')).toBeInstanceOf(BlobStoreFullError);
    expect(fromS3Error(httpError('SlowDown', 503), 'x')).toBeInstanceOf(BlobStoreUnavailableError);
  });
});
