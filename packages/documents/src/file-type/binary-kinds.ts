import type { FileKind } from '@citewell/contracts/errors';
import type { ByteSource } from '../archive/zip-directory.js';
import { startsWith } from '../text-decoding/text-content.js';

interface Signature {
  readonly kind: FileKind;
  /** Bytes as hexadecimal digits; `?` is any digit. */
  readonly hex: string;
  /** Default 0. */
  readonly at?: number;
}

const ascii = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

/** Signatures of formats that are not supported. The first one that matches decides. */
const SIGNATURES: readonly Signature[] = [
  { kind: 'IMAGE', hex: '89504e47' },
  { kind: 'IMAGE', hex: 'ffd8ff' },
  { kind: 'IMAGE', hex: ascii('GIF8') },
  { kind: 'IMAGE', hex: '49492a00' },
  { kind: 'IMAGE', hex: '4d4d002a' },
  { kind: 'IMAGE', hex: `${ascii('RIFF')}????????${ascii('WEBP')}` },
  // A bitmap: its size, then four zero bytes.
  { kind: 'IMAGE', hex: `${ascii('BM')}????????00000000` },
  { kind: 'IMAGE', hex: '00000100' },
  { kind: 'IMAGE', hex: '0000000c4a584c20' },
  { kind: 'IMAGE', hex: '0000000c6a502020' },
  ...['heic', 'heix', 'mif1', 'msf1', 'avif'].map((brand) => ({
    kind: 'IMAGE' as const,
    hex: ascii(`ftyp${brand}`),
    at: 4,
  })),
  { kind: 'AUDIO', hex: ascii('ftypM4A'), at: 4 },
  { kind: 'VIDEO', hex: ascii('ftyp'), at: 4 },
  { kind: 'VIDEO', hex: ascii('moov'), at: 4 },
  { kind: 'VIDEO', hex: `${ascii('RIFF')}????????${ascii('AVI ')}` },
  { kind: 'VIDEO', hex: '1a45dfa3' },
  { kind: 'VIDEO', hex: '3026b2758e66cf11' },
  { kind: 'VIDEO', hex: ascii('FLV\u0001') },
  { kind: 'VIDEO', hex: '000001b?' },
  { kind: 'AUDIO', hex: `${ascii('RIFF')}????????${ascii('WAVE')}` },
  { kind: 'AUDIO', hex: ascii('ID3') },
  ...['fffb', 'fff3', 'fff2', 'fff1', 'fff9'].map((hex) => ({ kind: 'AUDIO' as const, hex })),
  { kind: 'AUDIO', hex: ascii('fLaC') },
  { kind: 'AUDIO', hex: ascii('OggS') },
  { kind: 'AUDIO', hex: ascii('MThd') },
  { kind: 'ARCHIVE', hex: ascii('Rar!\u001a\u0007') },
  { kind: 'ARCHIVE', hex: '377abcaf271c' },
  { kind: 'ARCHIVE', hex: '1f8b' },
  { kind: 'ARCHIVE', hex: ascii('BZh') },
  { kind: 'ARCHIVE', hex: 'fd377a585a' },
  { kind: 'ARCHIVE', hex: '28b52ffd' },
  { kind: 'ARCHIVE', hex: '04224d18' },
  { kind: 'ARCHIVE', hex: ascii('MSCF') },
  { kind: 'ARCHIVE', hex: ascii('ustar'), at: 257 },
  { kind: 'PROGRAM', hex: '7f454c46' },
  { kind: 'PROGRAM', hex: ascii('MZ') },
  { kind: 'PROGRAM', hex: 'cafebabe' },
  { kind: 'PROGRAM', hex: 'c?faedfe' },
  { kind: 'PROGRAM', hex: 'feedfac?' },
  { kind: 'PROGRAM', hex: '0061736d' },
  { kind: 'PROGRAM', hex: ascii('dex\n') },
  { kind: 'FONT', hex: ascii('OTTO\u0000') },
  { kind: 'FONT', hex: ascii('wOFF') },
  { kind: 'FONT', hex: ascii('wOF2') },
  { kind: 'FONT', hex: ascii('ttcf') },
  { kind: 'FONT', hex: '0001000000' },
  { kind: 'DATABASE', hex: ascii('SQLite format 3') },
  { kind: 'DATABASE', hex: `00010000${ascii('Standard ')}` },
  { kind: 'DATABASE', hex: ascii('PAR1') },
  { kind: 'DRAWING', hex: ascii('8BPS') },
  { kind: 'DRAWING', hex: ascii('AC10') },
  { kind: 'PRINT_FILE', hex: ascii('AT&TFORM') },
  { kind: 'PRINT_FILE', hex: ascii('%!PS') },
  { kind: 'PRINT_FILE', hex: 'c5d0d3c6' },
  { kind: 'EBOOK', hex: ascii('BOOKMOBI'), at: 60 },
  { kind: 'EBOOK', hex: ascii('ITSF') },
  { kind: 'WORD_PROCESSOR', hex: 'ff575043' },
  { kind: 'OUTLOOK', hex: ascii('!BDN') },
  { kind: 'OUTLOOK', hex: 'cfad12fe' },
  { kind: 'OLD_WORD', hex: '31be0000' },
  { kind: 'NOTEBOOK', hex: 'e4525c7b8cd8a74d' },
];

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
    OPEN_SPREADSHEET: 'ods ots fods sxc',
    OPEN_PRESENTATION: 'odp otp fodp sxi',
    WORD_PROCESSOR: 'wpd wps hwp hwpx lwp abw sxw fodt',
    OUTLOOK: 'msg pst ost dbx',
    NOTEBOOK: 'one',
    DRAWING: 'dwg psd odg fodg vsdx ai',
    PRINT_FILE: 'xps oxps ps eps djvu',
    EBOOK: 'mobi azw azw3 lit chm',
    IMAGE: 'png jpg jpeg gif bmp tif tiff webp heic avif svg ico',
    AUDIO: 'mp3 m4a wav ogg flac aac wma',
    VIDEO: 'mp4 mov avi mkv webm wmv mpg mpeg m4v',
    ARCHIVE: 'rar 7z gz tgz tar bz2 xz zst lz4 cab iso dmg',
    DATABASE: 'db sqlite sqlite3 mdb accdb dbf parquet',
    PROGRAM: 'exe dll msi so dylib bin class jar apk wasm pyc',
    FONT: 'ttf otf woff woff2 ttc',
    ENCRYPTED: 'gpg pgp p7m kdbx',
  } satisfies Partial<Record<FileKind, string>>).flatMap(([kind, extensions]) =>
    // The table has only kinds as keys.
    extensions.split(' ').map((extension) => [extension, kind as FileKind]),
  ),
);

/** The kind of a format that is not supported, by its first bytes. */
export function kindOfSignature(head: Uint8Array): FileKind | null {
  const digits = Buffer.from(head.subarray(0, 512)).toString('hex');
  const found = SIGNATURES.find(({ hex, at = 0 }) =>
    [...hex].every((digit, index) => digit === '?' || digit === digits[at * 2 + index]),
  );
  return found?.kind ?? null;
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
