import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonLimits } from './json-limits.js';

const accepts = (json: string): boolean => new JsonLimits().accept(Buffer.from(json));
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const values = (count: number): string => `[${'0,'.repeat(count)}0]`;

describe('JsonLimits', () => {
  it.each([
    ['64 levels', nested(64), true],
    ['65 levels', nested(65), false],
    ['50,000 values', values(49_999), true],
    ['more values', values(50_000), false],
    ['many keys', `{${'"k":1,'.repeat(50_000)}"k":1}`, false],
    ['many empty arrays', `[${'[],'.repeat(30_000)}[]]`, false],
    ['signs of the syntax in a string', JSON.stringify('[{,"\\'.repeat(100_000)), true],
    ['a string that ends with escapes', `["\\\\\\"${','.repeat(60_000)}"]`, true],
    ['a string after an escaped backslash', `["\\\\",${'0,'.repeat(50_000)}0]`, false],
  ])('%s', (_, json, accepted) => {
    expect(accepts(json)).toBe(accepted);
  });

  it('counts the same wherever the bytes are split', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, at) => {
        const bytes = Buffer.from(JSON.stringify([value, nested(80)]));
        const split = at % bytes.length;
        const limits = new JsonLimits();
        const parts = [bytes.subarray(0, split), bytes.subarray(split)];
        expect(parts.every((part) => limits.accept(part))).toBe(accepts(bytes.toString()));
      }),
    );
  });
});
