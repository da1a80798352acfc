import type { FileKind } from '@citewell/contracts/errors';
import type { ByteSource } from '../archive/zip-directory.js';
import { startsWith } from '../text-decoding/text-content.js';

const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** Names of streams by which a compound file is identified, in the order in which they are looked for. */
const STREAMS: readonly (readonly [name: string, kind: FileKind])[] = [
  ['EncryptedPackage', 'ENCRYPTED'],
  ['HwpSummaryInformation', 'WORD_PROCESSOR'],
  ['WordDocument', 'OLD_WORD'],
  ['PowerPoint Document', 'OLD_POWERPOINT'],
  ['Workbook', 'OLD_EXCEL'],
  ['__nameid_version1.0', 'OUTLOOK'],
  ['__properties_version1.0', 'OUTLOOK'],
];

/** Whether a file is a compound file (MS-CFB): Office before 2007, encrypted Office, messages of Outlook. */
export function isCompoundFile(head: Uint8Array): boolean {
  return startsWith(head, SIGNATURE);
}

/** The beginning of the directory of a compound file, which lists its streams. */
export async function compoundDirectory(source: ByteSource, head: Uint8Array): Promise<Buffer> {
  if (head.length < 512) return Buffer.alloc(0);
  const header = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  // The header has the exponent of the sector size: 9 or 12 (MS-CFB 2.2).
  const sectorBytes = 2 ** Math.min(16, header.readUInt16LE(30));
  const start = (header.readUInt32LE(48) + 1) * sectorBytes;
  if (start >= source.size) return Buffer.alloc(0);
  return Buffer.from(await source.read(start, Math.min(source.size, start + 4 * sectorBytes)));
}

/** @returns null if the beginning of the directory does not tell */
export async function kindOfCompoundFile(source: ByteSource, head: Uint8Array): Promise<FileKind | null> {
  const directory = (await compoundDirectory(source, head)).toString('utf16le').toLowerCase();
  return STREAMS.find(([name]) => directory.includes(name.toLowerCase()))?.[1] ?? null;
}
