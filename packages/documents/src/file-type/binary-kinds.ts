import type { FileKind } from '@citewell/contracts/errors';
import type { ByteSource } from '../archive/zip-directory.js';
import { fileTypeFromBuffer } from 'file-type';
import { startsWith } from '../text-decoding/text-content.js';

/** The kinds of files by extension, for content that does not tell. */
const KINDS_BY_EXTENSION: Readonly<Record<string, FileKind>> = Object.fromEntries(
  Object.entries({
    OLD_WORD: 'doc dot wri',
    OLD_EXCEL: 'xls xlt xlsb',
    OLD_POWERPOINT: 'ppt pps pot',
    OLD_OFFICE: 'pub vsd mpp',
    PAGES: 'pages',
    NUMBERS: 'numbers',
    KEYNOTE: 'key',
    OPEN_SPREADSHEET: 'fods sxc',
    OPEN_PRESENTATION: 'fodp sxi',
    WORD_PROCESSOR: 'wpd wps hwp hwpx lwp abw sxw fodt',
    OUTLOOK: 'msg pst ost dbx',
    NOTEBOOK: 'one',
    DRAWING: 'dwg psd odg fodg vsdx ai',
    PRINT_FILE: 'xps oxps ps eps djvu',
    EBOOK: 'mobi azw azw3 lit chm',
    IMAGE: 'bmp heic avif svg ico',
    AUDIO: 'mp3 m4a wav ogg flac aac wma',
    VIDEO: 'mp4 mov avi mkv webm wmv mpg mpeg m4v asf mxf',
    ARCHIVE: 'rar 7z gz tgz tar bz2 xz zst lz lz4 lzh arj cpio ar deb rpm cab iso dmg',
    DATABASE: 'db sqlite sqlite3 mdb accdb dbf parquet',
    PROGRAM: 'exe dll msi so dylib bin elf macho class jar apk crx wasm pyc',
    FONT: 'ttf otf woff woff2 ttc',
    ENCRYPTED: 'gpg pgp p7m kdbx',
  } satisfies Partial<Record<FileKind, string>>).flatMap(([kind, extensions]) =>
    // The table has only kinds as keys.
    extensions.split(' ').map((extension) => [extension, kind as FileKind]),
  ),
);

const KINDS_BY_MIME_TYPE: Readonly<Record<string, FileKind>> = {
  image: 'IMAGE',
  audio: 'AUDIO',
  video: 'VIDEO',
  font: 'FONT',
};

/** The kind of a format that is not supported, by its first bytes. */
export async function kindOfSignature(head: Uint8Array): Promise<FileKind | null> {
  const found = await fileTypeFromBuffer(head);
  if (found === undefined) return null;
  // An archive in a compressed file is `tar.gz`.
  const extension = found.ext.split('.').at(-1) ?? '';
  return kindOfExtension(extension) ?? KINDS_BY_MIME_TYPE[found.mime.split('/')[0] ?? ''] ?? null;
}

/** The kind that an extension of a format that is not supported stands for. */
export function kindOfExtension(extension: string): FileKind | null {
  return Object.hasOwn(KINDS_BY_EXTENSION, extension) ? (KINDS_BY_EXTENSION[extension] ?? null) : null;
}

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
async function compoundDirectory(source: ByteSource, head: Uint8Array): Promise<Buffer> {
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
