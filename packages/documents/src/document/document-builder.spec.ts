import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DocumentBuilder } from './document-builder.js';
import { decodeDocument, decodeOutline, encodeDocument, encodeOutline } from './document-codec.js';

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
  anyText.map((text) => (builder: DocumentBuilder) => builder.leaveOut('running', text)),
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
  it('stops in the middle of a row that is too long', () => {
    const table = new DocumentBuilder({ maxCharacters: 1000 }).openTable({ headerRow: false });
    let read = 0;
    const cells = Array.from({ length: 500 }, () => 'x'.repeat(100));
    const row = new Proxy(cells, { get: (target, key) => ((read += 1), Reflect.get(target, key)) });
    expect(() => table.row(row)).toThrow(expect.objectContaining({ code: 'TOO_COMPLEX' }));
    expect(read).toBeLessThan(60);
  });

  it('ensures the rules of canonical text and blocks for any input', () => {
    fc.assert(
      fc.property(anyDocument, ({ text, blocks }) => {
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/[\0\r\v\f\u0085\u2028\u2029]/);
        let end = 0;
        for (const block of blocks) {
          expect(block.start).toBeGreaterThanOrEqual(end);
          expect(block.end).toBeGreaterThan(block.start);
          // Only white space is between blocks.
          expect(text.slice(end, block.start).trim()).toBe('');
          expect(text.slice(block.start, block.end).trim()).not.toBe('');
          if (block.headerEnd !== undefined) expect(text.charAt(block.headerEnd)).toBe('\n');
          end = block.end;
        }
        expect(end).toBe(text.length);
      }),
    );
  });

  it('is unchanged after encoding and decoding', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const encoded = encodeDocument(document);
        const {
          metadata: _m,
          leftOut: _l,
          warnings: _w,
          tables: _t,
          pages: _p,
          recognized: _r,
          ...content
        } = document;
        expect(decodeDocument(encoded)).toEqual(content);
        const [block] = document.blocks;
        assert.ok(block);
        const range = encoded.text.subarray(block.start * 2, block.end * 2);
        expect(range.toString('utf16le')).toBe(document.text.slice(block.start, block.end));
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
    expect(title).toBe('A');
    expect(blocks.map((block) => block.headingPath)).toEqual([[], ['A'], ['A', 'B'], ['A'], ['A', 'C'], []]);
  });

  it('truncates a long heading in paths and titles but not in the text', () => {
    const words = 'heading words '.repeat(5000).trim();
    const { blocks, text, title } = new DocumentBuilder()
      .heading(1, words)
      .block('paragraph', 'below')
      .heading(2, '\u{1f600}'.repeat(500))
      .block('paragraph', 'further below')
      .build();
    expect(text.startsWith(words)).toBe(true);
    const [first = '', second = ''] = blocks.at(-1)?.headingPath ?? [];
    expect(first).toMatch(/^(?:heading words )+heading(?: words)?…$/);
    // No surrogate pair is split.
    expect(second).toMatch(/^\u{1f600}+…$/u);
    for (const name of [first, second]) {
      expect(name.length).toBeGreaterThan(250);
      expect(name.length).toBeLessThanOrEqual(300);
    }
    expect(title).toBe(first);
    expect(new DocumentBuilder().setTitle(words).block('paragraph', 'x').build().title).toBe(first);
    expect(blocks[1]?.headingPath).toEqual([first]);
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
    expect(blocks.map((block) => block.anchor)).toEqual(['a', 'b', 'a', 'a', 'a', undefined, undefined]);
  });

  it('throws TOO_COMPLEX for text beyond the limit and EMPTY_DOCUMENT without text', () => {
    const small = new DocumentBuilder({ maxCharacters: 10 });
    const tooComplex = expect.objectContaining({ code: 'TOO_COMPLEX' });
    expect(() => small.block('paragraph', 'eleven char')).toThrow(tooComplex);
    expect(() => small.openTable({ headerRow: false }).row(['a'.repeat(20)])).toThrow(tooComplex);
    expect(() => new DocumentBuilder().block('paragraph', ' \n').build()).toThrow(
      expect.objectContaining({ code: 'EMPTY_DOCUMENT' }),
    );
  });

  it('rejects an outline that does not belong to the text', () => {
    const document = new DocumentBuilder().block('paragraph', 'hello').build();
    expect(() => decodeOutline('hell', encodeOutline(document))).toThrow(TypeError);
    expect(() => decodeOutline('hello', '{"title":1}')).toThrow(TypeError);
  });

  it('places the headings of a document in another one below its own', () => {
    const inner = new DocumentBuilder()
      .heading(1, 'Inner')
      .block('paragraph', 'one')
      .heading(6, 'Deep')
      .block('paragraph', 'two')
      .build();
    const document = new DocumentBuilder()
      .heading(2, 'Outer')
      .addDocument(inner)
      .block('paragraph', 'three')
      .build();
    expect(document.blocks.map(({ level, headingPath }) => [level, headingPath])).toEqual([
      [2, []],
      [3, ['Outer']],
      [undefined, ['Outer', 'Inner']],
      [6, ['Outer', 'Inner']],
      [undefined, ['Outer', 'Inner', 'Deep']],
      [undefined, ['Outer']],
    ]);
    expect(decodeDocument(encodeDocument(document)).blocks).toEqual(document.blocks);
  });

  it('keeps what the text of a table does not tell', () => {
    const inner = new DocumentBuilder().table([['a', 'b | c'], ['1']], { headerRow: true }).build();
    const builder = new DocumentBuilder().block('paragraph', 'x').addDocument(inner);
    const table = builder.openTable({ headerRow: false });
    table.row([''], { number: 1, contents: [] });
    table.row(['5 %'], { number: 2, contents: [0.05, '2026-05-03', null, undefined, '2026-05-03'] });
    table.close();
    const { tables } = builder.table([['a', 'b']], { headerRow: false }).build();
    expect([...tables.keys()]).toEqual([1, 2]);
    expect(tables.get(1)).toMatchObject({ divided: new Map([[0, ['a', 'b | c']]]), numbers: [] });
    expect(tables.get(2)).toMatchObject({ divided: new Map(), numbers: [2] });
    expect(tables.get(2)?.contents.at(0)).toEqual([0.05, '2026-05-03', null, undefined, '2026-05-03']);
    expect(tables.get(2)?.contents.at(1)).toBeUndefined();
  });
});
