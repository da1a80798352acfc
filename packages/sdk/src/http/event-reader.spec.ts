import { expect, it } from '@jest/globals';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { collect } from '../collect.fixtures.js';
import { readEvents, type ServerEvent } from './event-reader.js';

/** Reads a stream that arrives in chunks of the given sizes. */
async function read(text: string, sizes: readonly number[] = []): Promise<ServerEvent[]> {
  const bytes = new TextEncoder().encode(text);
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    let start = 0;
    for (const size of sizes) yield bytes.subarray(start, (start += size));
    yield bytes.subarray(start);
  }
  return collect(readEvents(chunks()));
}

it.each([
  ['data: a\n\n', [{ event: undefined, data: 'a' }]],
  ['event: answer\ndata:a\ndata:  b\n\n', [{ event: 'answer', data: 'a\n b' }]],
  [
    '\uFEFFdata: a\r\n\r\ndata\r\r\n',
    [
      { event: undefined, data: 'a' },
      { event: undefined, data: '' },
    ],
  ],
  [': ping\n\nevent: x\n\nid: 7\nretry: 3\ndata: a: b\n\n', [{ event: undefined, data: 'a: b' }]],
  ['data: a\n\ndata: incomplete\n', [{ event: undefined, data: 'a' }]],
])('reads %j', async (text, events) => {
  expect(await read(text)).toEqual(events);
});

it('reads what a library reads, wherever the chunks end', async () => {
  const piece = fc.constantFrom(
    'data',
    'event',
    'id',
    ':',
    ' ',
    '\n',
    '\r\n',
    '\r',
    'ü',
    '🙂',
    'x',
    'data: y\n\n',
  );
  const sizes = fc.array(fc.nat(6), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), sizes, async (pieces, chunkSizes) => {
      const text = `${pieces.join('')}\n\n`;
      const expected: ServerEvent[] = [];
      createParser({ onEvent: ({ event, data }) => expected.push({ event, data }) }).feed(text);
      expect(await read(text, chunkSizes)).toEqual(expected);
    }),
  );
});

it('refuses an event that is too long', async () => {
  await expect(read(`data: ${'x'.repeat(8_388_609)}`)).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
  await expect(read(`data: ${'x\ndata: '.repeat(1_300_000)}`)).rejects.toThrow(/maximum length/);
});
