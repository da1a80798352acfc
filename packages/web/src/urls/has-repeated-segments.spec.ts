import { describe, expect, it } from '@jest/globals';
import { hasRepeatedSegments } from './has-repeated-segments.js';

describe('hasRepeatedSegments', () => {
  const rows: readonly (readonly [path: string, isRepeated: boolean])[] = [
    ['/a/b/a/b/a/b', true],
    ['/x/a/b/a/b/a/b/y', true],
    ['/a/a/a', true],
    ['/a/b/a/b/a', false],
    ['/a/b/a/c/a/d/a', false],
    ['/2011/11/11/11', false],
    ['/', false],
  ];
  for (const [path, isRepeated] of rows) {
    it(`is ${isRepeated} for ${path}`, () =>
      expect(hasRepeatedSegments(`https://example.org${path}?a=/b/b/b`)).toBe(isRepeated));
  }
  it('is false for anything that is not a URL', () => expect(hasRepeatedSegments('/a/a/a')).toBe(false));
});
