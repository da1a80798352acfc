import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { DocumentBuilder } from './document-builder.js';
import { encodeDocument, hashEncoded } from './document-codec.js';

const hashOf = (build: (builder: DocumentBuilder) => DocumentBuilder): string =>
  hashEncoded(encodeDocument(build(new DocumentBuilder()).build()));

describe('the hash of an encoded document', () => {
  it('is that of outline and text, one after the other: it is kept, and another form would index all anew', () => {
    const [outline, text] = ['{"title":null}', 'text'].map((part) => Buffer.from(part));
    assert.ok(outline && text);
    const expected = createHash('sha256').update('{"title":null}text').digest('hex');
    assert.equal(hashEncoded({ outline, text }), expected);
  });

  it('is equal for equal documents, and another for another text or another division of it', () => {
    const paragraphs = hashOf((builder) => builder.block('paragraph', 'One.').block('paragraph', 'Two.'));
    assert.equal(
      hashOf((builder) => builder.block('paragraph', 'One.').block('paragraph', 'Two.')),
      paragraphs,
    );
    assert.notEqual(
      hashOf((builder) => builder.block('paragraph', 'One.').block('paragraph', 'Ten.')),
      paragraphs,
    );
    assert.notEqual(
      hashOf((builder) => builder.block('paragraph', 'One.').block('list', 'Two.')),
      paragraphs,
    );
  });
});
