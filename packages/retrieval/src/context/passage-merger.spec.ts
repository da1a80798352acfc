import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aPassage } from './passage.builder.js';
import { mergePassages } from './passage-merger.js';

const document = 'Refunds take five days. Returns are free. Shipping is not. Gifts are wrapped on request.';
const slice = (start: number, end: number, score = 0.5) =>
  aPassage({ text: document.slice(start, end), start, score });
const options = { maxCharacters: 1_000 };

describe('mergePassages', () => {
  it('joins adjacent and overlapping chunks, with the page of the first and the id of the best', () => {
    const [merged, ...rest] = mergePassages(
      [slice(40, 57, 0.9), { ...slice(0, 24), page: 2, headingPath: ['Refunds'] }, slice(20, 40, 0.1)],
      options,
    );
    expect(rest).toEqual([]);
    expect(merged).toEqual({
      ...slice(0, 57, 0.9),
      chunkId: 'chunk-40',
      page: 2,
      headingPath: ['Refunds'],
    });
  });

  it('does not join chunks with a gap unless its text is known', () => {
    expect(mergePassages([slice(0, 23), slice(24, 41)], options)).toHaveLength(2);
    const gapText = (before: { end: number }, after: { start: number }) =>
      document.slice(before.end, after.start);
    expect(mergePassages([slice(0, 23), slice(24, 41)], { ...options, gapText })).toEqual([slice(0, 41)]);
    expect(mergePassages([slice(0, 23), slice(24, 41)], { ...options, gapText: () => 'wrong' })).toHaveLength(
      2,
    );
    expect(mergePassages([slice(0, 23), slice(24, 41)], { ...options, gapText: () => null })).toHaveLength(2);
  });

  it('does not join chunks of different runs or datasources', () => {
    expect(mergePassages([slice(0, 24), { ...slice(24, 40), runId: 'other' }], options)).toHaveLength(2);
    expect(mergePassages([slice(0, 24), { ...slice(24, 40), datasourceId: 'other' }], options)).toHaveLength(
      2,
    );
  });

  it('does not join chunks whose text and range are inconsistent', () => {
    expect(mergePassages([slice(0, 24), { ...slice(20, 40), text: 'x'.repeat(20) }], options)).toHaveLength(
      2,
    );
    expect(mergePassages([slice(0, 24), { ...slice(24, 40), end: 99 }], options)).toHaveLength(2);
  });

  it('makes no slice longer than allowed', () => {
    expect(mergePassages([slice(0, 24), slice(24, 40)], { maxCharacters: 30 })).toHaveLength(2);
  });

  it('makes exact slices that cover the same characters', () => {
    const range = fc.tuple(fc.nat(document.length - 1), fc.integer({ min: 1, max: 30 }));
    fc.assert(
      fc.property(
        fc.array(range, { maxLength: 12 }),
        fc.integer({ min: 1, max: 90 }),
        (ranges, maxCharacters) => {
          const chunks = ranges.map(([start, length]) =>
            slice(start, Math.min(document.length, start + length)),
          );
          const merged = mergePassages(chunks, { maxCharacters });
          const covered = (passages: typeof chunks) =>
            new Set(
              passages.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)),
            );
          expect([...covered(merged)].sort()).toEqual([...covered(chunks)].sort());
          for (const { text, start, end } of merged) expect(text).toBe(document.slice(start, end));
        },
      ),
    );
  });
});
