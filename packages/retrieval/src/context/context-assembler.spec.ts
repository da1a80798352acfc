import assert from 'node:assert/strict';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assembleContext, mergePassages } from './context-assembler.js';
import { aPassage } from './passage.fixtures.js';

/** One token per character, so that budgets are exact. */
const countTokens = (text: string): number => text.length;
/** A passage that is too distant from the others to be merged. */
const distant = (index: number, text: string, score: number) =>
  aPassage({ text, score, start: index * 10_000 });

describe('assembleContext', () => {
  it('numbers passages by relevance, with source, headings and page', () => {
    const { text, passages } = assembleContext(
      [
        distant(0, 'Refunds take five days.', 0.2),
        {
          ...distant(1, 'Returns are free.', 0.9),
          headingPath: ['Policy', 'Returns'],
          page: 3,
          header: 'Policy\nItem | Fee',
        },
      ],
      { maxTokens: 1_000 },
    );
    expect(text).toBe(
      [
        '[1]',
        '<passage>',
        'From: handbook.pdf › Policy › Returns (page 3)',
        'Item | Fee',
        'Returns are free.',
        '</passage>',
        '',
        '[2]',
        '<passage>',
        'From: handbook.pdf',
        'Refunds take five days.',
        '</passage>',
      ].join('\n'),
    );
    expect(passages.map(({ start }) => start)).toEqual([10_000, 0]);
  });

  it('keeps the order of the search among equal scores, also of merged chunks', () => {
    const at = (start: number) => aPassage({ text: 'text ', start, score: 0.9 });
    const { passages } = assembleContext([at(500), at(205), at(0), at(200)], { maxTokens: 1_000 });
    expect(passages.map(({ start, end }) => [start, end])).toEqual([
      [500, 505],
      [200, 210],
      [0, 5],
    ]);
  });

  it('merges adjacent chunks', () => {
    const chunks = [aPassage({ text: 'one ', score: 0.1 }), aPassage({ text: 'two', start: 4, score: 0.9 })];
    const { passages } = assembleContext(chunks, { maxTokens: 1_000 });
    expect(passages.map(({ text, start, end }) => ({ text, start, end }))).toEqual([
      { text: 'one two', start: 0, end: 7 },
    ]);
  });

  it('keeps additional properties of passages', () => {
    const { passages } = assembleContext([{ ...aPassage({ text: 'one' }), customId: 'custom' }], {
      maxTokens: 100,
    });
    expect(passages[0]?.customId).toBe('custom');
  });

  it('includes a smaller passage if a larger one does not fit', () => {
    const chunks = [
      distant(0, 'a'.repeat(100), 0.9),
      distant(1, 'b'.repeat(500), 0.8),
      distant(2, 'c'.repeat(50), 0.7),
    ];
    const { passages } = assembleContext(chunks, { maxTokens: 300, countTokens });
    expect(passages.map(({ text }) => text[0])).toEqual(['a', 'c']);
  });

  it('truncates the best passage to an exact slice if no passage fits', () => {
    const words = 'word '.repeat(200);
    const { passages, tokens } = assembleContext([distant(1, words, 0.9)], { maxTokens: 200, countTokens });
    const [passage] = passages;
    assert.ok(passage);
    expect(tokens).toBeLessThanOrEqual(200);
    expect(passage.text.endsWith('word')).toBe(true);
    expect(passage.end - passage.start).toBe(passage.text.length);
    expect(words.startsWith(passage.text)).toBe(true);
  });

  it('is empty without passages, or if the budget is too small', () => {
    expect(assembleContext([], { maxTokens: 100 })).toEqual({ text: '', passages: [], tokens: 0 });
    expect(
      assembleContext([distant(0, 'x'.repeat(500), 1)], { maxTokens: 10, countTokens }).passages,
    ).toEqual([]);
  });

  it('stays within its budget, with every passage an exact slice in its own fence', () => {
    const texts = fc.array(
      fc.tuple(fc.nat(300), fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' })),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(texts, fc.nat(800), (chunks, maxTokens) => {
        const passages = chunks.map(([start, text], index) => aPassage({ text, start, score: index / 10 }));
        const gapText = (before: { end: number }, after: { start: number }) =>
          ' '.repeat(after.start - before.end);
        const context = assembleContext(passages, { maxTokens, countTokens, gapText });
        expect(context.tokens).toBeLessThanOrEqual(maxTokens);
        expect(context.tokens).toBe(context.text.length);
        expect(context.text.split('\n</passage>').length - 1).toBe(context.passages.length);
        for (const { start, end, text } of context.passages) expect(end - start).toBe(text.length);
      }),
    );
  });
});

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
