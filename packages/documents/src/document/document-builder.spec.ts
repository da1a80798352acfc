import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DocumentBuilder } from './document-builder.js';
import { decodeDocument, decodeOutline, encodeDocument, encodeOutline } from './document-codec.js';
import { DocumentError } from './document-error.js';

/** Any UTF-16 including lone surrogates and zeros, with a larger share of line breaks. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom('\r\n', '\n', ' ', 'a'),
    ),
  )
  .map((parts) => parts.join(''));

const anyAnchor = fc.constantFrom(undefined, 'a', 'b', '', 'x'.repeat(1000));

const anyStep = fc.oneof(
  fc.tuple(fc.integer({ min: -1, max: 8 }), anyText, anyAnchor).map(
    ([level, text, anchor]) =>
      (builder: DocumentBuilder) =>
        builder.heading(level, text, { anchor }),
  ),
  fc.tuple(fc.constantFrom('paragraph' as const, 'list' as const, 'code' as const), anyText, anyAnchor).map(
    ([kind, text, anchor]) =>
      (builder: DocumentBuilder) =>
        builder.block(kind, text, { anchor }),
  ),
  fc.constant((builder: DocumentBuilder) => builder.leaveHeadings()),
  anyText.map((text) => (builder: DocumentBuilder) => builder.boilerplate(text)),
  fc.tuple(fc.array(fc.array(anyText)), fc.boolean()).map(
    ([rows, headerRow]) =>
      (builder: DocumentBuilder) =>
        builder.table(rows, { headerRow }),
  ),
);

const anyDocument = fc.array(anyStep).map((steps) => {
  const builder = new DocumentBuilder().block('paragraph', 'begin');
  for (const step of steps) step(builder);
  return builder.build();
});

describe('DocumentBuilder', () => {
  it('ensures the rules of canonical text and blocks for any input', () => {
    fc.assert(
      fc.property(anyDocument, ({ text, blocks }) => {
        assert.ok(text.isWellFormed());
        assert.doesNotMatch(text, /[\0\r\v\f\u0085\u2028\u2029]/);
        let end = 0;
        for (const block of blocks) {
          assert.ok(block.start >= end && block.end > block.start);
          assert.equal(text.slice(end, block.start).trim(), '', 'only white space is between blocks');
          assert.notEqual(text.slice(block.start, block.end).trim(), '');
          if (block.headerEnd !== undefined) assert.equal(text.charAt(block.headerEnd), '\n');
          end = block.end;
        }
        assert.equal(end, text.length);
      }),
    );
  });

  it('is unchanged after encoding and decoding', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const encoded = encodeDocument(document);
        const { metadata: _, ...content } = document;
        assert.deepEqual(decodeDocument(encoded), content);
        const [block] = document.blocks;
        assert.ok(block);
        const range = encoded.text.subarray(block.start * 2, block.end * 2);
        assert.equal(range.toString('utf16le'), document.text.slice(block.start, block.end));
      }),
    );
  });

  it('gives each block the titles of the headings above it', () => {
    const { blocks, title } = new DocumentBuilder()
      .heading(1, 'A')
      .heading(3, 'B')
      .block('paragraph', 'under B')
      .heading(2, 'C')
      .block('paragraph', 'under C')
      .leaveHeadings()
      .block('paragraph', 'under nothing')
      .build();
    assert.equal(title, 'A');
    assert.deepEqual(
      blocks.map((block) => block.headingPath),
      [[], ['A'], ['A', 'B'], ['A'], ['A', 'C'], []],
    );
  });

  it('truncates a long heading in paths and titles but not in the text', () => {
    const words = 'heading words '.repeat(5000).trim();
    const { blocks, text, title } = new DocumentBuilder()
      .heading(1, words)
      .block('paragraph', 'below')
      .heading(2, '\u{1f600}'.repeat(500))
      .block('paragraph', 'further below')
      .build();
    assert.ok(text.startsWith(words));
    const [first = '', second = ''] = blocks.at(-1)?.headingPath ?? [];
    assert.match(first, /^(?:heading words )+heading(?: words)?…$/);
    assert.match(second, /^\u{1f600}+…$/u, 'no surrogate pair is split');
    for (const name of [first, second]) assert.ok(name.length > 250 && name.length <= 300, name);
    assert.equal(title, first);
    assert.equal(new DocumentBuilder().setTitle(words).block('paragraph', 'x').build().title, first);
    assert.deepEqual(blocks[1]?.headingPath, [first]);
  });

  it('gives a block the anchor of its heading, not of a sibling heading', () => {
    const { blocks } = new DocumentBuilder()
      .heading(1, 'A', { anchor: 'a' })
      .heading(2, 'B', { anchor: 'b' })
      .heading(2, 'C')
      .block('paragraph', 'under C')
      .heading(2, 'D', { anchor: 'a much too long anchor '.repeat(30) })
      .heading(1, 'E')
      .block('paragraph', 'under E')
      .build();
    assert.deepEqual(
      blocks.map((block) => block.anchor),
      ['a', 'b', 'a', 'a', 'a', undefined, undefined],
    );
  });

  it('throws TOO_COMPLEX for text beyond the limit and EMPTY_DOCUMENT without text', () => {
    const small = new DocumentBuilder({ maxCharacters: 10 });
    const isTooComplex = (error: unknown): boolean =>
      error instanceof DocumentError && error.code === 'TOO_COMPLEX';
    assert.throws(() => small.block('paragraph', 'eleven char'), isTooComplex);
    assert.throws(() => small.openTable({ headerRow: false }).row(['a'.repeat(20)]), isTooComplex);
    assert.throws(() => new DocumentBuilder().block('paragraph', ' \n').build(), { code: 'EMPTY_DOCUMENT' });
  });

  it('rejects an outline that does not belong to the text', () => {
    const document = new DocumentBuilder().block('paragraph', 'hello').build();
    assert.throws(() => decodeOutline('hell', encodeOutline(document)), TypeError);
    assert.throws(() => decodeOutline('hello', '{"title":1}'), TypeError);
  });
});
