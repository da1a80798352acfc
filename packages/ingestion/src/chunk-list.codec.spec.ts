import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Readable } from 'node:stream';
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
          assert.deepEqual(
            await readChunkList(listOf(chunks), after, limit),
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
    assert.deepEqual(await readChunkList(listOf([chunk]), -1, 5), [chunk]);
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
    assert.deepEqual(
      (await readChunkList(source, 1, 2)).map((chunk) => chunk.ordinal),
      [2, 3],
    );
    assert.ok(source.destroyed && read < 5_000, `${read} lines were read`);
  });

  it('rejects with the error of the stream, and with a TypeError for a malformed line', async () => {
    const broken = Readable.from(
      (function* () {
        yield toChunkLine({ ordinal: 0, start: 0, end: 1, headingPath: [], contentHash: 'ab' });
        throw new Error('disk');
      })(),
    );
    await assert.rejects(readChunkList(broken, -1, 10), /disk/);
    await assert.rejects(readChunkList(Readable.from(['{}\n']), -1, 10), TypeError);
  });
});
