import {
  findZipDirectory,
  readZipDirectory,
  ZIP_TAIL_BYTES,
  type ZipDirectoryRange,
} from '../archive/zip-directory.js';
import { DOCX, EPUB, ODT, PPTX, XLSX, type FileType } from './file-type.js';
import type { ByteSource } from './detect-file-type.js';
import { startsWith } from './text-content.js';

/** The main part by which a zip archive is identified: names all Office producers use, and EPUB 3.3, 4.2. */
const MAIN_PARTS: Readonly<Record<string, FileType>> = {
  'word/document.xml': DOCX,
  'ppt/presentation.xml': PPTX,
  'xl/workbook.xml': XLSX,
  'META-INF/container.xml': EPUB,
};

const ZIP_LOCAL_HEADER = [0x50, 0x4b, 0x03, 0x04];
/** Length of a local file header without the name. */
const LOCAL_HEADER_BYTES = 30;
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;

export function isZip(head: Uint8Array): boolean {
  return startsWith(head, ZIP_LOCAL_HEADER);
}

/** Whether the central directory is missing, as after an incomplete upload or download. */
export async function isTruncatedZip(source: ByteSource): Promise<boolean> {
  return (await zipDirectoryRange(source)) === null;
}

/**
 * Whether a zip archive is an OpenDocument text: its first entry is its type, uncompressed (ODF 1.3, part 2,
 * 3.3). The next entry follows, or a data descriptor.
 */
export function isOpenDocumentText(head: Uint8Array): boolean {
  const first = Buffer.from(`mimetype${ODT}PK`);
  return startsWith(head, [...first], LOCAL_HEADER_BYTES);
}

/** Looks for the main part of an Office or EPUB file, reading only the central directory of the archive. */
export async function officeTypeOfZip(source: ByteSource): Promise<FileType | null> {
  const range = await zipDirectoryRange(source);
  if (range === null) return null;
  const end = range.start + Math.min(range.size, MAX_DIRECTORY_BYTES);
  for (const { name } of readZipDirectory(Buffer.from(await source.read(range.start, end)))) {
    if (Object.hasOwn(MAIN_PARTS, name)) return MAIN_PARTS[name] ?? null;
  }
  return null;
}

async function zipDirectoryRange(source: ByteSource): Promise<ZipDirectoryRange | null> {
  const tail = await source.read(Math.max(0, source.size - ZIP_TAIL_BYTES), source.size);
  return findZipDirectory(Buffer.from(tail), source.size);
}

/**
 * Whether a file is an Office document with encryption: a compound file with a stream `EncryptedPackage`
 * (MS-OFFCRYPTO 2.3.4). Its type is that of its name, because the content cannot be read without the
 * password.
 */
export async function isEncryptedOffice(source: ByteSource, head: Uint8Array): Promise<boolean> {
  if (!startsWith(head, COMPOUND_FILE) || head.length < 512) return false;
  const header = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  // The header has the exponent of the sector size: 9 or 12 (MS-CFB 2.2).
  const sectorBytes = 2 ** Math.min(16, header.readUInt16LE(30));
  const start = (header.readUInt32LE(48) + 1) * sectorBytes;
  if (start >= source.size) return false;
  const directory = Buffer.from(await source.read(start, Math.min(source.size, start + 4 * sectorBytes)));
  return directory.includes(Buffer.from('EncryptedPackage', 'utf16le'));
}
