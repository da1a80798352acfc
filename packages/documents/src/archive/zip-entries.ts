import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { DocumentError } from '../document/document-error.js';
import {
  type ByteSource,
  findZipDirectory,
  readZipDirectory,
  ZIP_TAIL_BYTES,
  type ZipDirectoryRange,
  type ZipEntry,
} from './zip-directory.js';

/** Far more than 10,000 entries need. */
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;
/** The number of entries that the end record has for larger ones. */
const MANY_ENTRIES = 0xffff;
export const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER = 0x04034b50;
const PIECE_BYTES = 256 * 1024;

/**
 * Reads the entries of a zip archive that is not in memory.
 *
 * @throws DocumentError CORRUPT_FILE also when entries of the directory are missing, TOO_COMPLEX
 */
export async function readZipEntries(source: ByteSource): Promise<readonly ZipEntry[]> {
  const directory = await zipDirectoryRange(source);
  if (directory === null) throw new DocumentError('CORRUPT_FILE', 'the archive has no directory');
  if (directory.size > MAX_DIRECTORY_BYTES)
    throw new DocumentError('TOO_COMPLEX', `the directory of the archive has ${directory.size} bytes`);
  const bytes = await source.read(directory.start, directory.start + directory.size);
  const entries = [...readZipDirectory(Buffer.from(bytes))];
  if (entries.length < directory.count && directory.count < MANY_ENTRIES)
    throw new DocumentError('CORRUPT_FILE', `${entries.length} of ${directory.count} entries can be read`);
  return entries;
}

/** The place of the directory; null when there is none, as after an incomplete download. */
export async function zipDirectoryRange(source: ByteSource): Promise<ZipDirectoryRange | null> {
  const tail = await source.read(Math.max(0, source.size - ZIP_TAIL_BYTES), source.size);
  return findZipDirectory(Buffer.from(tail), source.size);
}

/**
 * Inflates an entry in pieces. Yields at most the size in the directory, so that limits which are checked on
 * the directory hold.
 *
 * @param options.isVerified whether a smaller size or another checksum than in the directory is an error
 * @throws DocumentError CORRUPT_FILE when the entry is damaged or longer than the directory says, and as
 * {@link assertInflatable}
 */
export async function* inflateZipEntry(
  source: ByteSource,
  entry: ZipEntry,
  { isVerified = true } = {},
): AsyncGenerator<Buffer, void, undefined> {
  assertInflatable(entry);
  const headerEnd = Math.min(source.size, entry.offset + LOCAL_HEADER_BYTES);
  const header = await source.read(Math.min(entry.offset, headerEnd), headerEnd);
  const start = contentStart(Buffer.from(header), entry, source.size);
  const stored = readPieces(source, start, start + entry.storedBytes);
  let length = 0;
  let checksum = 0;
  for await (const piece of entry.method === 0 ? stored : inflate(stored, entry)) {
    length += piece.length;
    if (length > entry.inflatedBytes) throw damaged(entry, 'longer than the directory says');
    checksum = crc32(piece, checksum);
    yield piece;
  }
  if (isVerified && (length !== entry.inflatedBytes || checksum !== entry.checksum))
    throw damaged(entry, 'not what the directory says');
}

/** Whether the entry is neither encrypted nor compressed by another method than Deflate. */
export function isInflatable({ isEncrypted, method }: ZipEntry): boolean {
  return !isEncrypted && (method === 0 || method === 8);
}

/** @throws DocumentError PASSWORD_REQUIRED, and UNSUPPORTED_FILE for other compression methods than Deflate */
export function assertInflatable(entry: ZipEntry): void {
  if (isInflatable(entry)) return;
  const { name, isEncrypted, method } = entry;
  if (isEncrypted) throw new DocumentError('PASSWORD_REQUIRED', `${name} is encrypted`);
  throw new DocumentError('UNSUPPORTED_FILE', `compression method ${method}`);
}

/**
 * The first byte of the entry's content, after the local header, whose length only the header itself tells.
 *
 * @throws DocumentError CORRUPT_FILE
 */
export function contentStart(header: Buffer, entry: ZipEntry, archiveBytes: number): number {
  if (header.length < LOCAL_HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER)
    throw damaged(entry, 'has no header');
  const start = entry.offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + entry.storedBytes > archiveBytes) throw damaged(entry, 'cut off');
  return start;
}

async function* readPieces(source: ByteSource, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += PIECE_BYTES)
    yield Buffer.from(await source.read(at, Math.min(end, at + PIECE_BYTES)));
}

async function* inflate(stored: AsyncIterable<Buffer>, entry: ZipEntry): AsyncGenerator<Buffer> {
  const inflater = createInflateRaw({ chunkSize: PIECE_BYTES });
  // A failure destroys the inflater, whose iteration then throws.
  pipeline(Readable.from(stored), inflater).catch(() => undefined);
  try {
    // The inflater has no encoding set, so it emits buffers.
    yield* inflater as AsyncIterable<Buffer>;
  } catch (error) {
    throw isInflateError(error) ? damaged(entry, 'cannot be inflated', error) : error;
  } finally {
    inflater.destroy();
  }
}

/** Errors of zlib have codes such as `Z_DATA_ERROR`. Other errors are those of the source. */
function isInflateError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

function damaged({ name }: ZipEntry, reason: string, cause?: unknown): DocumentError {
  return new DocumentError('CORRUPT_FILE', `${name}: ${reason}`, { cause });
}
