import { describe, expect, it } from '@jest/globals';
import { textJson } from './datasource-content.service.js';

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('textJson', () => {
  it.each([
    ['no text', ''],
    ['signs that JSON escapes', 'a "quote", a \\ and\n\u0001a line'],
    ['characters outside the BMP', 'x😀😀y'],
    ['halves of a surrogate pair at both ends of a slice', '\ude00 and \ud83d'],
  ])('is the JSON of %s, however the bytes are split', async (_, text) => {
    const expected = { revision: 2, length: 9, text };
    for (const size of [1, 3, 5, 100]) {
      let json = '';
      for await (const piece of textJson(expected, inChunks(Buffer.from(text, 'utf16le'), size)))
        json += piece;
      expect(JSON.parse(json)).toEqual(expected);
    }
  });
});
