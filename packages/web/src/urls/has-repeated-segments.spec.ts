import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
      assert.equal(hasRepeatedSegments(`https://example.org${path}?a=/b/b/b`), isRepeated));
  }
  it('is false for anything that is not a URL', () => assert.equal(hasRepeatedSegments('/a/a/a'), false));
});
