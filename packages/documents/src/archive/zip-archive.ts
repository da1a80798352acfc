import { TextDecoder } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { formatBytes } from '@citewell/contracts/errors';
import type { PictureSource } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import { partKey } from './package-parts.js';
import { findZipDirectory, readZipDirectory, ZIP_TAIL_BYTES, type ZipEntry } from './zip-directory.js';
import { assertInflatable, contentStart, inflateZipEntry, LOCAL_HEADER_BYTES } from './zip-entries.js';

const MEGABYTE = 1024 * 1024;
const MAX_ENTRIES = 20_000;
/** Sum over all entries that are read. */
const MAX_INFLATED_BYTES = 512 * MEGABYTE;
/** Inflated bytes / stored bytes of one entry; not applied to entries that inflate to 1 MB or less. */
const MAX_RATIO = 200;
const RATIO_FREE_BYTES = MEGABYTE;
const COMPOUND_FILE = 'd0cf11e0a1b11ae1';

/** What has been taken of the limits. */
interface ZipUse {
  entries: number;
  inflatedBytes: number;
}

/**
 * A zip archive in memory. Entries are inflated on demand, within limits. The sizes in the directory are
 * checked before inflating, and the inflater stops at the declared size, so that wrong sizes cannot bypass
 * the limits.
 */
export class ZipArchive {
  private readonly bytes: Buffer;
  private readonly entries = new Map<string, ZipEntry>();
  /** For names in another case or with escapes. */
  private readonly byKey = new Map<string, ZipEntry>();
  private readonly inflated = new Set<ZipEntry>();
  private readonly use: ZipUse;
  /** All archives inside of an archive share limits, so that none of them makes the outer one unreadable. */
  private readonly innerUse: ZipUse;

  /**
   * @param container the archive that contains this one
   * @throws DocumentError CORRUPT_FILE, TOO_COMPLEX, or PASSWORD_REQUIRED for an encrypted Office document,
   * which is a compound file
   */
  constructor(bytes: Uint8Array, container?: ZipArchive) {
    this.use = container?.innerUse ?? { entries: 0, inflatedBytes: 0 };
    this.innerUse = container?.innerUse ?? { entries: 0, inflatedBytes: 0 };
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.bytes.toString('hex', 0, 8) === COMPOUND_FILE) {
      throw new DocumentError('PASSWORD_REQUIRED', 'an encrypted Office document');
    }
    const directory = findZipDirectory(this.bytes.subarray(-ZIP_TAIL_BYTES), this.bytes.length);
    if (directory === null) throw new DocumentError('CORRUPT_FILE', 'the archive has no directory');
    for (const entry of readZipDirectory(
      this.bytes.subarray(directory.start, directory.start + directory.size),
    )) {
      this.use.entries += 1;
      if (this.use.entries > MAX_ENTRIES) {
        throw new DocumentError('TOO_COMPLEX', `more than ${MAX_ENTRIES} entries in the archive`, {
          userMessage: `The file is an archive of more than ${MAX_ENTRIES.toLocaleString('en')} parts. Split it and upload the parts.`,
        });
      }
      this.entries.set(entry.name, entry);
      this.byKey.set(partKey(entry.name), entry);
    }
  }

  get names(): readonly string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entryOf(name) !== undefined;
  }

  /** The name of an entry as it is in the archive. Other case and escapes are forgiven, as in reading systems. */
  nameOf(name: string): string | undefined {
    return this.entryOf(name)?.name;
  }

  /** A picture in the archive, for {@link DocumentBuilder.picture}. */
  picture(name: string): PictureSource {
    return { size: this.entryOf(name)?.inflatedBytes ?? 0, bytes: () => this.read(name) };
  }

  /**
   * @returns null when there is no such entry
   * @throws DocumentError
   */
  read(name: string): Buffer | null {
    const entry = this.entryOf(name);
    if (entry === undefined) return null;
    this.guard(entry);
    const stored = this.storedBytesOf(entry);
    if (entry.method === 0) return stored;
    try {
      // zlib rejects a buffer of exactly the output's size, hence one more byte.
      return inflateRawSync(stored, { maxOutputLength: entry.inflatedBytes + 1 });
    } catch (error) {
      throw new DocumentError('CORRUPT_FILE', `${name} cannot be inflated`, { cause: error });
    }
  }

  /** Reads an entry as UTF-8, or as UTF-16 if it has a byte order mark: XML allows both. */
  readText(name: string): string | null {
    const bytes = this.read(name);
    return bytes === null ? null : decoderFor(bytes).decode(bytes);
  }

  /** Like {@link readText}, in pieces, so that a large entry is never in memory as a whole. */
  async *readTextPieces(name: string): AsyncGenerator<string, void, undefined> {
    let decoder: TextDecoder | undefined;
    const entry = this.entryOf(name);
    if (entry === undefined) return;
    this.guard(entry);
    const source = {
      size: this.bytes.length,
      read: (start: number, end: number) => Promise.resolve(this.bytes.subarray(start, end)),
    };
    for await (const piece of inflateZipEntry(source, entry, { isVerified: false })) {
      decoder ??= decoderFor(piece);
      yield decoder.decode(piece, { stream: true });
    }
    yield decoder?.decode() ?? '';
  }

  private entryOf(name: string): ZipEntry | undefined {
    return this.entries.get(name) ?? this.byKey.get(partKey(name));
  }

  private guard(entry: ZipEntry): void {
    assertInflatable(entry);
    // Reading an entry again takes no additional memory.
    if (!this.inflated.has(entry)) this.use.inflatedBytes += entry.inflatedBytes;
    this.inflated.add(entry);
    if (this.use.inflatedBytes > MAX_INFLATED_BYTES) {
      throw new DocumentError(
        'TOO_COMPLEX',
        `the archive inflates to more than ${MAX_INFLATED_BYTES} bytes`,
        {
          userMessage: `Unpacked, the file is larger than ${formatBytes(MAX_INFLATED_BYTES)}. Split it and upload the parts.`,
        },
      );
    }
    if (entry.inflatedBytes > RATIO_FREE_BYTES && entry.inflatedBytes > entry.storedBytes * MAX_RATIO) {
      throw new DocumentError('TOO_COMPLEX', `${entry.name} inflates more than ${MAX_RATIO} times`, {
        userMessage: `A part of the file unpacks to more than ${MAX_RATIO} times its size, as files do that are made to do harm. Save it again with another program and upload the new copy.`,
      });
    }
  }

  private storedBytesOf(entry: ZipEntry): Buffer {
    const header = this.bytes.subarray(entry.offset, entry.offset + LOCAL_HEADER_BYTES);
    const start = contentStart(header, entry, this.bytes.length);
    return this.bytes.subarray(start, start + entry.storedBytes);
  }
}

/** @param beginning the first bytes of the text, which may have a byte order mark */
function decoderFor(beginning: Uint8Array): TextDecoder {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return new TextDecoder('utf-16le');
  if (beginning[0] === 0xfe && beginning[1] === 0xff) return new TextDecoder('utf-16be');
  return new TextDecoder('utf-8');
}
