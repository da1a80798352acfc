import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import { buildZip } from '../test-files/index.js';
import { inflateZipEntry, readZipEntries } from './zip-entries.js';

const DIRECTORY = Buffer.from('PK\u0001\u0002', 'latin1');
const LONG = 'The tide table. '.repeat(100_000);

function sourceOf(bytes: Uint8Array) {
  return { size: bytes.length, read: async (start: number, end: number) => bytes.subarray(start, end) };
}

/** The contents of all entries. */
async function inflateAll(bytes: Uint8Array): Promise<string[]> {
  const source = sourceOf(bytes);
  const texts: string[] = [];
  for (const entry of await readZipEntries(source)) {
    const pieces: Buffer[] = [];
    for await (const piece of inflateZipEntry(source, entry)) pieces.push(piece);
    texts.push(Buffer.concat(pieces).toString());
  }
  return texts;
}

/** An archive of one entry whose directory or content is changed. */
function changed(change: (zip: Buffer, directory: number) => void, content = LONG): Buffer {
  const zip = Buffer.from(buildZip({ 'a.txt': content }));
  change(zip, zip.indexOf(DIRECTORY));
  return zip;
}

describe('zip entries', () => {
  it('are inflated in pieces, compressed or not', async () => {
    // `mimetype` is stored.
    expect(await inflateAll(buildZip({ 'a.txt': LONG, mimetype: LONG, empty: '' }))).toEqual([
      LONG,
      LONG,
      '',
    ]);
  });

  it('have names in UTF-8 or CP437', async () => {
    const zip = Buffer.from(buildZip({ 'Grüße.txt': 'x', 'K??e.txt': 'y' }));
    const name = iconv.encode('Käße.txt', 'cp437');
    name.copy(zip, zip.lastIndexOf('K??e.txt'));
    const entries = [...(await readZipEntries(sourceOf(zip)))];
    expect(entries.map((entry) => entry.name)).toEqual(['Grüße.txt', 'Käße.txt']);
  });

  const corrupt: readonly [what: string, zip: Buffer][] = [
    ['more content than the directory says', changed((zip, at) => zip.writeUInt32LE(10, at + 24))],
    ['less content than the directory says', changed((zip, at) => zip.writeUInt32LE(9_000_000, at + 24))],
    ['another checksum', changed((zip, at) => zip.writeUInt32LE(1, at + 16))],
    ['too few stored bytes', changed((zip, at) => zip.writeUInt32LE(20, at + 20))],
    ['stored bytes beyond the end', changed((zip, at) => zip.writeUInt32LE(zip.length, at + 20))],
    ['an offset beyond the end', changed((zip, at) => zip.writeUInt32LE(zip.length, at + 42))],
    ['an offset without a header', changed((zip, at) => zip.writeUInt32LE(5, at + 42))],
    ['damaged content', changed((zip) => zip.fill(0xff, 40, 200))],
    ['no directory', changed(() => undefined).subarray(0, -30)],
    ['a directory without all entries', changed((zip) => zip.writeUInt16LE(2, zip.length - 12))],
    ['a damaged directory', changed((zip, at) => zip.writeUInt8(0, at))],
  ];
  it.each(corrupt)('with %s are rejected', async (_what, zip) => {
    await expect(inflateAll(zip)).rejects.toThrow(expect.objectContaining({ code: 'CORRUPT_FILE' }));
  });

  it.each([
    ['encrypted', changed((zip, at) => zip.writeUInt16LE(1, at + 8)), 'PASSWORD_REQUIRED'],
    ['compressed in another way', changed((zip, at) => zip.writeUInt16LE(9, at + 10)), 'UNSUPPORTED_FILE'],
  ])('that are %s are not read', async (_what, zip, code) => {
    await expect(inflateAll(zip)).rejects.toThrow(expect.objectContaining({ code }));
  });

  it('inflate no further than the directory says', async () => {
    const zip = changed((bytes, at) => bytes.writeUInt32LE(10, at + 24));
    const [entry] = await readZipEntries(sourceOf(zip));
    let length = 0;
    const inflateFirst = async () => {
      if (entry) for await (const piece of inflateZipEntry(sourceOf(zip), entry)) length += piece.length;
    };
    await expect(inflateFirst()).rejects.toThrow(/longer/);
    expect(length).toBe(0);
  });

  it('fail with the error of the source', async () => {
    const zip = changed(() => undefined);
    const [entry] = await readZipEntries(sourceOf(zip));
    const unavailable = new Error('the store is away');
    const source = {
      size: zip.length,
      read: async (start: number, end: number) => {
        if (start > 0) throw unavailable;
        return zip.subarray(start, end);
      },
    };
    const inflateFirst = async () => {
      if (entry) for await (const _ of inflateZipEntry(source, entry));
    };
    await expect(inflateFirst()).rejects.toBe(unavailable);
  });
});
