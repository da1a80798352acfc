import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ListedChunk, readChunkList, toChunkLine } from './chunk-list.codec.js';

const listOf = (chunks: readonly ListedChunk[]): Readable =>
  Readable.from([Buffer.from(chunks.map(toChunkLine).join(''))]);

describe('chunk list codec', () => {
  it('round-trips any chunk, for any page of the list', async () => {
    const chunk = fc.record(
      {
        start: fc.nat(),
        end: fc.nat(),
        page: fc.integer({ min: 1, max: 9_999 }),
        headingPath: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 }),
        contentHash: fc.stringMatching(/^[0-9a-f]{32}$/),
      },
      { requiredKeys: ['start', 'end', 'headingPath', 'contentHash'] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(chunk, { maxLength: 12 }),
        fc.integer({ min: -1, max: 12 }),
        fc.integer({ min: 1, max: 13 }),
        async (fields, after, limit) => {
          const chunks = fields.map((rest, ordinal) => ({ ordinal, ...rest }));
          expect(await readChunkList(listOf(chunks), after, limit)).toEqual(
            chunks.slice(after + 1, after + 1 + limit),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it('keeps Unicode line ends inside headings', async () => {
    const chunk = {
      ordinal: 0,
      start: 0,
      end: 1,
      headingPath: ['a\u2028b\u2029c\u0085d\r\n'],
      contentHash: 'ab',
    };
    expect(await readChunkList(listOf([chunk]), -1, 5)).toEqual([chunk]);
  });

  it('stops reading after the last chunk of the page', async () => {
    let read = 0;
    function* lines() {
      for (let ordinal = 0; ordinal < 100_000; ordinal += 1) {
        read += 1;
        yield toChunkLine({ ordinal, start: ordinal, end: ordinal + 1, headingPath: [], contentHash: 'ab' });
      }
    }
    const source = Readable.from(lines());
    expect((await readChunkList(source, 1, 2)).map((chunk) => chunk.ordinal)).toEqual([2, 3]);
    expect(source.destroyed && read < 5_000).toBe(true);
  });

  it('rejects with the error of the stream, and with a TypeError for a malformed line', async () => {
    const broken = Readable.from(
      (function* () {
        yield toChunkLine({ ordinal: 0, start: 0, end: 1, headingPath: [], contentHash: 'ab' });
        throw new Error('disk');
      })(),
    );
    await expect(readChunkList(broken, -1, 10)).rejects.toThrow(/disk/);
    await expect(readChunkList(Readable.from(['{}\n']), -1, 10)).rejects.toThrow(TypeError);
  });
});
