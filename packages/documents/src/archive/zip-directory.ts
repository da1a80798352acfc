import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { detectEncoding } from '../text-decoding/detect-encoding.js';

/** Random access to bytes: a file, a blob, or a buffer in memory. */
export interface ByteSource {
  readonly size: number;
  /** @param end exclusive, at most `size` */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** An entry of the central directory of a zip archive. */
export interface ZipEntry {
  readonly name: string;
  /** Compression method: 0 stored, 8 deflated. */
  readonly method: number;
  readonly isEncrypted: boolean;
  /** CRC-32 of the inflated bytes. */
  readonly checksum: number;
  readonly storedBytes: number;
  readonly inflatedBytes: number;
  /** Byte offset of the entry's local header in the archive. */
  readonly offset: number;
}

export interface ZipDirectoryRange {
  readonly start: number;
  readonly size: number;
  /** How many entries it has; 65,535 for that many and more. */
  readonly count: number;
}

/** Bytes to read from the end of a file to find the directory: end record, longest comment, ZIP64 locator. */
export const ZIP_TAIL_BYTES = 22 + 0xffff + 20;

const END_RECORD = Buffer.from('PK\u0005\u0006', 'latin1');
const ZIP64_EXTRA = 0x0001;
const UNKNOWN = 0xffffffff;

/**
 * Finds the central directory (APPNOTE.TXT 4.3.16). Archives whose directory only ZIP64 records locate are
 * larger than 4 GB and are not supported.
 *
 * @param tail the last {@link ZIP_TAIL_BYTES} bytes of the archive, or all of it
 * @returns null when there is no directory
 */
export function findZipDirectory(tail: Buffer, archiveBytes: number): ZipDirectoryRange | null {
  const record = tail.lastIndexOf(END_RECORD);
  if (record < 0 || record + 22 > tail.length) return null;
  const size = tail.readUInt32LE(record + 12);
  const start = tail.readUInt32LE(record + 16);
  const count = tail.readUInt16LE(record + 10);
  return start + size > archiveBytes ? null : { start, size, count };
}

interface RawEntry extends Omit<ZipEntry, 'name'> {
  readonly name: Buffer;
}

/** Yields the entries in directory order; a truncated last entry is skipped. */
export function* readZipDirectory(directory: Buffer): Generator<ZipEntry> {
  let encoding: string | undefined;
  for (const entry of rawEntries(directory)) {
    if (!isUtf8(entry.name)) encoding ??= legacyEncoding(directory);
    const name =
      encoding === undefined || isUtf8(entry.name)
        ? entry.name.toString('utf8')
        : iconv.decode(entry.name, encoding);
    // Some producers write backslashes or a leading slash.
    yield { ...entry, name: name.replaceAll('\\', '/').replace(/^\//, '') };
  }
}

function* rawEntries(directory: Buffer): Generator<RawEntry> {
  let at = 0;
  while (at + 46 <= directory.length && directory.readUInt32LE(at) === 0x02014b50) {
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    if (extraEnd > directory.length) return;
    const sizes = {
      inflatedBytes: directory.readUInt32LE(at + 24),
      storedBytes: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    };
    yield {
      name: directory.subarray(at + 46, nameEnd),
      method: directory.readUInt16LE(at + 10),
      isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      checksum: directory.readUInt32LE(at + 16),
      ...sizes,
      ...zip64Sizes(directory.subarray(nameEnd, extraEnd), sizes),
    };
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
}

/**
 * The encoding of the names that are not UTF-8, which many producers write without the flag for it. CP437 is that of
 * APPNOTE.TXT (D.1), but programs use the code page of their system.
 */
function legacyEncoding(directory: Buffer): string {
  const lines: Buffer[] = [];
  for (const { name } of rawEntries(directory)) if (!isUtf8(name)) lines.push(name, LINE_FEED);
  return detectEncoding(Buffer.concat(lines), { declared: 'cp437' }).encoding;
}

const LINE_FEED = Buffer.from('\n');

type Sizes = Pick<ZipEntry, 'inflatedBytes' | 'storedBytes' | 'offset'>;

/**
 * Sizes from the ZIP64 extra field, which streaming producers use for small archives too (APPNOTE.TXT 4.5.3).
 */
function zip64Sizes(extra: Buffer, sizes: Sizes): Partial<Sizes> {
  let at = 0;
  while (at + 4 <= extra.length) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === ZIP64_EXTRA && end <= extra.length) {
      const values: { -readonly [Key in keyof Sizes]?: number } = {};
      let field = at + 4;
      for (const key of ['inflatedBytes', 'storedBytes', 'offset'] as const) {
        if (sizes[key] !== UNKNOWN || field + 8 > end) continue;
        values[key] = Number(extra.readBigUInt64LE(field));
        field += 8;
      }
      return values;
    }
    at = end;
  }
  return {};
}
