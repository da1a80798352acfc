import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { readAhead } from './read-ahead.js';

const MOST = 4;

describe('readAhead', () => {
  it.each([
    [[], ''],
    [['ab'], 'ab'],
    [['ab', 'cd'], 'abcd'],
  ])('returns the content of the small source %j', async (chunks, content) => {
    const source = await readAhead(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), { most: MOST });
    expect(source).toEqual(Buffer.from(content));
  });

  it.each([[['abcde']], [['ab', 'cd', 'e']], [['ab', 'cdef', 'gh', 'i']]])(
    'returns a source with all chunks of %j',
    async (chunks) => {
      const source = await readAhead(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), {
        most: MOST,
      });
      expect(source).not.toBeInstanceOf(Uint8Array);
      expect(String(await buffer(source as AsyncIterable<Uint8Array>))).toBe(chunks.join(''));
    },
  );

  it('passes failures and aborts on, and destroys the source when the reader of the rest stops', async () => {
    const failing = new Readable({ read() {} });
    failing.push('ab');
    failing.destroy(new Error('cut off'));
    await expect(readAhead(failing, { most: MOST })).rejects.toThrow('cut off');

    const hanging = new Readable({ read() {} });
    const controller = new AbortController();
    const outcome = readAhead(hanging, { most: MOST, signal: controller.signal });
    controller.abort(new Error('stopped'));
    await expect(outcome).rejects.toThrow('stopped');

    const long = Readable.from(['abcdef', 'g'].map((chunk) => Buffer.from(chunk)));
    for await (const chunk of (await readAhead(long, { most: MOST })) as AsyncIterable<Uint8Array>) {
      expect(String(chunk)).toBe('abcdef');
      break;
    }
    expect(long.destroyed).toBe(true);
  });
});
