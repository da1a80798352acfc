import {
  findZipDirectory,
  readZipDirectory,
  ZIP_TAIL_BYTES,
  type ZipDirectoryRange,
} from '../archive/zip-directory.js';
import { DOCX, EPUB, PPTX, XLSX, type FileType } from './file-type.js';
import type { ByteSource } from './detect-file-type.js';
import { startsWith } from './text-content.js';

/** The part that makes a zip archive a file of that type (ECMA-376 part 2, the names that every producer writes; EPUB 3.3, 4.2). */
const MAIN_PARTS: Readonly<Record<string, FileType>> = {
  'word/document.xml': DOCX,
  'ppt/presentation.xml': PPTX,
  'xl/workbook.xml': XLSX,
  'META-INF/container.xml': EPUB,
};

const ZIP_LOCAL_HEADER = [0x50, 0x4b, 0x03, 0x04];
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;

export function isZip(head: Uint8Array): boolean {
  return startsWith(head, ZIP_LOCAL_HEADER);
}

/** Whether the directory is missing: an upload or a download that did not come to its end. */
export async function isZipCutOff(source: ByteSource): Promise<boolean> {
  return (await zipDirectoryRange(source)) === null;
}

/** Reads a zip's central directory, and nothing else of it, for the main part of an Office document. */
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
 * A document that Office encrypted is a compound file with a stream `EncryptedPackage` (MS-OFFCRYPTO 2.3.4). What is
 * inside cannot be seen, so its name decides, and its parser says that a password is needed.
 */
export async function isEncryptedOffice(source: ByteSource, head: Uint8Array): Promise<boolean> {
  if (!startsWith(head, COMPOUND_FILE) || head.length < 512) return false;
  const header = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  // The header gives the exponent: 9 or 12 (MS-CFB 2.2).
  const sectorBytes = 2 ** Math.min(16, header.readUInt16LE(30));
  const start = (header.readUInt32LE(48) + 1) * sectorBytes;
  if (start >= source.size) return false;
  const directory = Buffer.from(await source.read(start, Math.min(source.size, start + 4 * sectorBytes)));
  return directory.includes(Buffer.from('EncryptedPackage', 'utf16le'));
}
