import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assembleContext } from './context-assembler.js';
import { aPassage } from './passage.builder.js';

/** One token a character: exact, and quick to reason about. */
const countTokens = (text: string): number => text.length;
const far = (index: number, text: string, score: number) => aPassage({ text, score, start: index * 10_000 });

describe('assembleContext', () => {
  it('numbers passages by relevance, with their place', () => {
    const { text, passages } = assembleContext(
      [
        far(0, 'Refunds take five days.', 0.2),
        {
          ...far(1, 'Returns are free.', 0.9),
          headingPath: ['Policy', 'Returns'],
          page: 3,
          header: 'Policy\nItem | Fee',
        },
      ],
      { maxTokens: 1_000 },
    );
    assert.equal(
      text,
      [
        '[1] handbook.pdf › Policy › Returns (page 3)',
        '<passage>',
        'Item | Fee',
        'Returns are free.',
        '</passage>',
        '',
        '[2] handbook.pdf',
        '<passage>',
        'Refunds take five days.',
        '</passage>',
      ].join('\n'),
    );
    assert.deepEqual(
      passages.map(({ start }) => start),
      [10_000, 0],
    );
  });

  it('merges neighbours', () => {
    const chunks = [aPassage({ text: 'one ', score: 0.1 }), aPassage({ text: 'two', start: 4, score: 0.9 })];
    const { passages } = assembleContext(chunks, { maxTokens: 1_000 });
    assert.deepEqual(
      passages.map(({ text, start, end }) => ({ text, start, end })),
      [{ text: 'one two', start: 0, end: 7 }],
    );
  });

  it('carries along whatever the caller needs', () => {
    const { passages } = assembleContext([{ ...aPassage({ text: 'one' }), customId: 'mine' }], {
      maxTokens: 100,
    });
    assert.equal(passages[0]?.customId, 'mine');
  });

  it('lets a smaller passage in where a larger does not fit', () => {
    const chunks = [far(0, 'a'.repeat(100), 0.9), far(1, 'b'.repeat(500), 0.8), far(2, 'c'.repeat(50), 0.7)];
    const { passages } = assembleContext(chunks, { maxTokens: 300, countTokens });
    assert.deepEqual(
      passages.map(({ text }) => text[0]),
      ['a', 'c'],
    );
  });

  it('takes the beginning of the best when nothing fits, as an exact slice', () => {
    const words = 'word '.repeat(200);
    const { passages, tokens } = assembleContext([far(1, words, 0.9)], { maxTokens: 200, countTokens });
    const [passage] = passages;
    assert.ok(passage !== undefined && tokens <= 200 && passage.text.endsWith('word'));
    assert.equal(passage.end - passage.start, passage.text.length);
    assert.ok(words.startsWith(passage.text));
  });

  it('is empty without passages or without room', () => {
    assert.deepEqual(assembleContext([], { maxTokens: 100 }), { text: '', passages: [], tokens: 0 });
    assert.deepEqual(
      assembleContext([far(0, 'x'.repeat(500), 1)], { maxTokens: 10, countTokens }).passages,
      [],
    );
  });

  it('never passes its budget, and every passage is an exact slice in its own fence', () => {
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
        assert.ok(context.tokens <= maxTokens && context.tokens === context.text.length);
        assert.equal(context.text.split('\n</passage>').length - 1, context.passages.length);
        for (const { start, end, text } of context.passages) assert.equal(end - start, text.length);
      }),
    );
  });
});
