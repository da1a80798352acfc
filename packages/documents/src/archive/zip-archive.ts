import { inflateRawSync } from 'node:zlib';
import { DocumentError } from '../document/document-error.js';
import { findZipDirectory, readZipDirectory, ZIP_TAIL_BYTES, type ZipEntry } from './zip-directory.js';

export interface ZipLimits {
  readonly maxEntries: number;
  /** Of all entries that are read, together. */
  readonly maxInflatedBytes: number;
  /** Inflated over stored bytes of one entry; not asked of entries that inflate to less than 1 MB. */
  readonly maxRatio: number;
}

const DEFAULT_LIMITS: ZipLimits = { maxEntries: 20_000, maxInflatedBytes: 512 * 1024 * 1024, maxRatio: 200 };
const RATIO_FREE_BYTES = 1024 * 1024;
const LOCAL_HEADER_BYTES = 30;
const COMPOUND_FILE = 'd0cf11e0a1b11ae1';

/**
 * A zip archive in memory. An entry is inflated when it is asked for and within limits: the sizes in the directory
 * are checked before a byte is inflated, and the inflater stops at the size that the directory gave, so that a
 * directory that lies gains nothing.
 */
export class ZipArchive {
  private readonly bytes: Buffer;
  private readonly entries = new Map<string, ZipEntry>();
  private inflatedBytes = 0;

  /** @throws DocumentError CORRUPT_FILE, TOO_COMPLEX; PASSWORD_REQUIRED for an encrypted Office document, which is no zip */
  constructor(
    bytes: Uint8Array,
    private readonly limits: ZipLimits = DEFAULT_LIMITS,
  ) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.bytes.toString('hex', 0, 8) === COMPOUND_FILE) {
      throw new DocumentError('PASSWORD_REQUIRED', 'an encrypted Office document');
    }
    const directory = findZipDirectory(this.bytes.subarray(-ZIP_TAIL_BYTES), this.bytes.length);
    if (directory === null) throw new DocumentError('CORRUPT_FILE', 'the archive has no directory');
    let count = 0;
    for (const entry of readZipDirectory(
      this.bytes.subarray(directory.start, directory.start + directory.size),
    )) {
      count += 1;
      if (count > limits.maxEntries) {
        throw new DocumentError('TOO_COMPLEX', `more than ${limits.maxEntries} entries in the archive`);
      }
      this.entries.set(entry.name, entry);
    }
  }

  get names(): readonly string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** @returns null when there is no such entry */
  read(name: string): Buffer | null {
    const entry = this.entries.get(name);
    if (entry === undefined) return null;
    this.guard(entry);
    const stored = this.storedBytesOf(entry);
    if (entry.method === 0) return stored;
    if (entry.method !== 8) throw new DocumentError('UNSUPPORTED_FILE', `compression method ${entry.method}`);
    try {
      // zlib counts a full buffer of an exact size as too small: one byte of room.
      return inflateRawSync(stored, { maxOutputLength: entry.inflatedBytes + 1 });
    } catch (error) {
      throw new DocumentError('CORRUPT_FILE', `${name} cannot be inflated`, { cause: error });
    }
  }

  /** An entry as text in UTF-8, or UTF-16 with a byte order mark, which XML allows too. */
  readText(name: string): string | null {
    const bytes = this.read(name);
    if (bytes === null) return null;
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
    return new TextDecoder('utf-8').decode(bytes);
  }

  private guard(entry: ZipEntry): void {
    if (entry.isEncrypted) throw new DocumentError('PASSWORD_REQUIRED', `${entry.name} is encrypted`);
    this.inflatedBytes += entry.inflatedBytes;
    if (this.inflatedBytes > this.limits.maxInflatedBytes) {
      throw new DocumentError(
        'TOO_COMPLEX',
        `the archive inflates to more than ${this.limits.maxInflatedBytes} bytes`,
      );
    }
    if (
      entry.inflatedBytes > RATIO_FREE_BYTES &&
      entry.inflatedBytes > entry.storedBytes * this.limits.maxRatio
    ) {
      throw new DocumentError(
        'TOO_COMPLEX',
        `${entry.name} inflates more than ${this.limits.maxRatio} times`,
      );
    }
  }

  private storedBytesOf(entry: ZipEntry): Buffer {
    const header = entry.offset + LOCAL_HEADER_BYTES;
    if (header > this.bytes.length)
      throw new DocumentError('CORRUPT_FILE', `${entry.name} lies outside the archive`);
    const start =
      header + this.bytes.readUInt16LE(entry.offset + 26) + this.bytes.readUInt16LE(entry.offset + 28);
    const end = start + entry.storedBytes;
    if (end > this.bytes.length) throw new DocumentError('CORRUPT_FILE', `${entry.name} is cut off`);
    return this.bytes.subarray(start, end);
  }
}
