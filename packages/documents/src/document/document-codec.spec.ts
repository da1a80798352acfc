import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DocumentBuilder } from './document-builder.js';
import { decodeOutline, encodeDocument, encodeOutline, hashEncoded } from './document-codec.js';

const hashOf = (build: (builder: DocumentBuilder) => DocumentBuilder): string =>
  hashEncoded(encodeDocument(build(new DocumentBuilder()).build()));

describe('hashEncoded', () => {
  it('hashes outline and text in this order; a change would re-index all documents', () => {
    const [outline, text] = ['{"title":null}', 'text'].map((part) => Buffer.from(part));
    assert.ok(outline && text);
    const expected = createHash('sha256').update('{"title":null}text').digest('hex');
    expect(hashEncoded({ outline, text })).toBe(expected);
  });

  it('is equal for the same content, whatever the metadata, and differs for other text or other blocks', () => {
    const paragraphs = hashOf((builder) => builder.block('paragraph', 'One.').block('paragraph', 'Two.'));
    expect(
      hashOf((builder) =>
        builder
          .setMetadata('canonical', 'https://example.com/a')
          .block('paragraph', 'One.')
          .block('paragraph', 'Two.'),
      ),
    ).toBe(paragraphs);
    expect(hashOf((builder) => builder.block('paragraph', 'One.').block('paragraph', 'Ten.'))).not.toBe(
      paragraphs,
    );
    expect(hashOf((builder) => builder.block('paragraph', 'One.').block('list', 'Two.'))).not.toBe(
      paragraphs,
    );
  });
});

describe('encodeOutline', () => {
  it('has a size linear in the number of blocks, whatever the headings above them', () => {
    const builder = new DocumentBuilder();
    for (let level = 1; level <= 6; level += 1) {
      builder.heading(level, `${level} ${'words '.repeat(1000)}`, { anchor: 'a'.repeat(200) });
    }
    for (let n = 0; n < 1000; n += 1) builder.block('paragraph', `paragraph ${n}`);
    const document = builder.build();
    const json = encodeOutline(document);
    expect(json.length).toBeLessThan(100_000);
    const { blocks } = decodeOutline(document.text, json);
    expect(blocks).toEqual(document.blocks);
    // The blocks share one array.
    expect(blocks.at(-1)?.headingPath).toBe(blocks.at(-2)?.headingPath);
  });

  it('is rejected when a block references something other than a heading above it', () => {
    const heading = (level: number, under?: number) => ({ kind: 'heading', level, under });
    const invalid: readonly (readonly object[])[] = [
      [{ kind: 'paragraph', under: 0 }],
      [{ kind: 'paragraph' }, { kind: 'paragraph', under: 0 }],
      [{ kind: 'paragraph', under: 1 }, heading(1)],
      [heading(2), heading(2, 0)],
      [heading(7)],
      [heading(1), { kind: 'paragraph', under: '0' }],
    ];
    for (const shapes of invalid) {
      const blocks = shapes.map((shape, at) => ({ ...shape, start: at, end: at + 1 }));
      const json = JSON.stringify({ title: null, language: null, blocks });
      expect(() => decodeOutline('ab', json)).toThrow(TypeError);
    }
  });
});
