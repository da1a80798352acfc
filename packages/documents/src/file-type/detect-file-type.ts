import { type ByteSource, readZipDirectory, type ZipEntry } from '../archive/zip-directory.js';
import { isTextSample, isUtf16Or32, looksLikeText, startsWith } from '../text-decoding/text-content.js';
import {
  DOCX,
  EPUB,
  extensionOf,
  type FileType,
  isOfficeType,
  isOpenDocument,
  isPicture,
  isTextual,
  isZipType,
  PPTX,
  RTF,
  typeOfExtension,
  typeOfMimeType,
  XLSX,
} from './file-type.js';
import { inflateZipEntry, zipDirectoryRange } from '../archive/zip-entries.js';
import { DocumentError } from '../document/document-error.js';
import { type OfficeKind, officeKindOf, packagePartOf, partKey } from '../archive/package-parts.js';
import { fileTypeFromBuffer } from 'file-type';
import { descendants, readXmlTree, type XmlElement } from '../xml/xml-tree.js';
import { isCompoundFile, kindOfCompoundFile } from './binary-kinds.js';

const ZIP_MIME_TYPES = ['application/zip', 'application/x-zip-compressed'];
const ZIP_LOCAL_HEADER = [0x50, 0x4b, 0x03, 0x04];

/** The first bytes of an archive without files. */
const ZIP_END_RECORD = [0x50, 0x4b, 0x05, 0x06];

export interface DeclaredType {
  readonly fileName: string;
  /** As sent by the client; parameters such as `charset` are ignored. */
  readonly declaredMimeType?: string;
  /** Further extensions of plain text, in lower case without dots. Those of supported types are ignored. */
  readonly plainTextExtensions?: readonly string[];
}

const HEAD_BYTES = 4096;
/** Fields that mail servers and clients write first. Notes may begin with others, such as `Subject:`. */
const MAIL = /^(?:return-path|delivered-to|received|message-id|mime-version):/i;
const HTML = /^\s*(?:<!doctype\s+html|<html[\s>])/i;
const RTF_HEADER = Buffer.from('{\\rtf');
/** Beginnings of textual formats that are not supported: XML, SVG, PostScript. */
const UNSUPPORTED_MARKUP = /^\s*(?:<\?xml|<svg[\s>]|%!PS)/i;

/**
 * Detects which supported type a file has, by content first. Returns `null` for an unsupported file, and for
 * a file whose content contradicts its claimed type.
 *
 * The claimed types are that of the file name's extension and the declared MIME type. These claim nothing:
 * `application/octet-stream`, a missing type, and unsupported types (browsers on Windows send `.csv` as
 * `application/vnd.ms-excel`). A declared `text/plain` is the default of form parsers: it contradicts no binary
 * content, and any other textual type is preferred to it.
 *
 * | content | claimed | result |
 * |---|---|---|
 * | `%PDF-` at offset 0 (within 1,024 bytes if PDF is claimed) | no textual type | PDF |
 * | `{\rtf` at offset 0 | no textual type | RTF |
 * | zip with the main part of an Office or EPUB file, or the type of OpenDocument | no textual type | the type of that part |
 * | zip without a central directory | a zip type | the claimed type; its parser reports the truncation |
 * | encrypted Office file | an Office type | the claimed type; its parser asks for the password |
 * | PNG, JPEG, TIFF, WebP, GIF | nothing, or a picture | the type of the picture |
 * | any of these | a textual type | `null` |
 * | other zips, other binary content | anything | `null` |
 * | text, or no bytes | a binary type, or `.zip` | `null` |
 * | text | a textual extension | type of the extension; for `.txt` the declared type, if there is one |
 * | text | an extension of `plainTextExtensions` | plain text |
 * | text | only a textual declared type | the declared type |
 * | text | nothing | HTML, JSON or e-mail if it looks like one, else plain text; |
 * | | | `null` for XML and PostScript |
 */
export async function detectFileType(source: ByteSource, declared: DeclaredType): Promise<FileType | null> {
  const extension = extensionOf(declared.fileName);
  const byName = typeOfExtension(extension);
  const byMime = typeOfMimeType(declared.declaredMimeType);
  // Form parsers report text/plain for a part without a type, so it claims nothing.
  const claims = [byName, byMime === 'text/plain' ? null : byMime].filter((claim) => claim !== null);
  const head = await source.read(0, Math.min(source.size, HEAD_BYTES));

  const binary = await binaryType(source, head, claims);
  if (binary !== null) return claims.some(isTextual) ? null : binary;
  if (claims.some((claim) => !isTextual(claim))) return null;
  if (!looksLikeText(head) || !(await hasOnlyTextSamples(source, head))) return null;

  if (byName === null && declared.plainTextExtensions?.includes(extension) === true) return 'text/plain';
  // A login page that was saved in place of an archive.
  if (extension === 'zip') return null;
  // Prefer the more specific of the two: clients send text/plain by default, and `notes.txt` may be
  // text/markdown.
  if (byName !== null) return byName === 'text/plain' ? (byMime ?? byName) : byName;
  if (byMime !== null && byMime !== 'text/plain') return byMime;
  return await typeOfText(source, head, byMime);
}

async function binaryType(
  source: ByteSource,
  head: Uint8Array,
  claims: readonly FileType[],
): Promise<FileType | null> {
  const magic = Buffer.from(head.buffer, head.byteOffset, Math.min(1024, head.byteLength)).indexOf('%PDF-');
  if (magic === 0 || (magic > 0 && claims.includes('application/pdf'))) return 'application/pdf';
  if (startsWith(head, [...RTF_HEADER])) return RTF;
  const archive = claims.find(isZipType) ?? null;
  if (isZip(head)) {
    if (await isTruncatedZip(source)) return archive;
    return await typeOfZip(source);
  }
  const picture = await pictureType(head);
  if (picture !== null) return claims.every(isPicture) ? picture : null;
  // Only the name of an encrypted Office file says which type it has (MS-OFFCRYPTO 2.3.4).
  const isEncrypted = isCompoundFile(head) && (await kindOfCompoundFile(source, head)) === 'ENCRYPTED';
  return isEncrypted ? (claims.find(isOfficeType) ?? null) : null;
}

const TIFF_STARTS = [
  [0x49, 0x49, 0x2a, 0x00],
  [0x4d, 0x4d, 0x00, 0x2a],
];
/** The first bytes of the types of pictures. Other types begin with some of them, such as raw files of cameras. */
const PICTURE_STARTS = [
  ...TIFF_STARTS,
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x52, 0x49, 0x46, 0x46],
  [0x47, 0x49, 0x46, 0x38],
];

async function pictureType(head: Uint8Array): Promise<FileType | null> {
  if (!PICTURE_STARTS.some((start) => startsWith(head, start))) return null;
  // The directory of a TIFF, which tells it from raw files, may be at the end of the file.
  const unknown = TIFF_STARTS.some((start) => startsWith(head, start)) ? 'image/tiff' : undefined;
  const type = typeOfMimeType((await fileTypeFromBuffer(head))?.mime ?? unknown);
  return type !== null && isPicture(type) ? type : null;
}

/** Samples the middle and the end of a file, because a binary file may begin with text. */
async function hasOnlyTextSamples(source: ByteSource, head: Uint8Array): Promise<boolean> {
  if (source.size <= HEAD_BYTES || isUtf16Or32(head)) return true;
  const middle = Math.trunc(source.size / 2);
  for (const start of [middle, source.size - HEAD_BYTES]) {
    if (!isTextSample(await source.read(start, Math.min(source.size, start + HEAD_BYTES)))) return false;
  }
  return true;
}

async function typeOfText(
  source: ByteSource,
  head: Uint8Array,
  byMime: FileType | null,
): Promise<FileType | null> {
  if (byMime !== null) return byMime;
  const beginning = new TextDecoder().decode(head);
  if (HTML.test(beginning)) return 'text/html';
  if (MAIL.test(beginning)) return 'message/rfc822';
  if (UNSUPPORTED_MARKUP.test(beginning)) return null;
  const end = Buffer.from(await source.read(Math.max(0, source.size - 64), source.size))
    .toString('utf8')
    .trimEnd();
  const first = beginning.trimStart().charAt(0);
  const isJson = (first === '{' && end.endsWith('}')) || (first === '[' && end.endsWith(']'));
  return isJson ? 'application/json' : 'text/plain';
}

/**
 * Whether a file of no supported type (see `detectFileType`) is a zip archive of files: it begins as one, and is named
 * `.zip`. Without an extension, the declared MIME type counts.
 */
export async function isArchive(source: ByteSource, declared: DeclaredType): Promise<boolean> {
  const extension = extensionOf(declared.fileName);
  const essence = declared.declaredMimeType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (extension !== 'zip' && (extension !== '' || !ZIP_MIME_TYPES.includes(essence))) return false;
  const head = await source.read(0, Math.min(source.size, ZIP_LOCAL_HEADER.length));
  return startsWith(head, ZIP_LOCAL_HEADER) || startsWith(head, ZIP_END_RECORD);
}

const OFFICE_TYPES: Readonly<Record<OfficeKind, FileType>> = { word: DOCX, ppt: PPTX, xl: XLSX };
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;
const MAX_PART_BYTES = 1024 * 1024;

export function isZip(head: Uint8Array): boolean {
  return startsWith(head, ZIP_LOCAL_HEADER);
}

/** Whether the central directory is missing, as after an incomplete upload or download. */
export async function isTruncatedZip(source: ByteSource): Promise<boolean> {
  return (await zipDirectoryRange(source)) === null;
}

/**
 * The type of a zip archive by the parts that identify it: that of OpenDocument (ODF 1.3, part 2, 3.3), the container of a
 * book (EPUB 3.3, 4.2), or the main part that the relationships of an Office file name (ECMA-376 Part 2, 9.3). Only the
 * directory of the archive and these small parts are read.
 */
async function typeOfZip(source: ByteSource): Promise<FileType | null> {
  const entries = await entriesOf(source);
  const openDocument =
    (await partOf(source, entries.get('mimetype'), (text) => text.trim())) ??
    (await partOf(source, entries.get('meta-inf/manifest.xml'), typeOfManifest));
  const withoutTemplate = openDocument?.replace(/-template$/, '') ?? '';
  if (isOpenDocument(withoutTemplate)) return withoutTemplate;
  if (entries.has('meta-inf/container.xml')) return EPUB;
  const treeOf = (name: string, root: string): Promise<XmlElement | undefined> =>
    partOf(source, entries.get(name), (xml) => readXmlTree(xml, root));
  const relationships = await treeOf('_rels/.rels', 'Relationships');
  const main = packagePartOf(relationships, 'officeDocument');
  // A workbook in the binary format (.xlsb) has the same relationships.
  if (main?.endsWith('.bin') === true) return null;
  if (main === undefined || !entries.has(partKey(main))) return null;
  const kind = officeKindOf(main, await treeOf('[content_types].xml', 'Types'));
  return kind === undefined ? null : OFFICE_TYPES[kind];
}

/** The type of an OpenDocument file by its list of parts (ODF 1.3, part 2, 4.8). Some programs write it there only. */
function typeOfManifest(xml: string): string | undefined {
  const entries = descendants(readXmlTree(xml.replace(/^\ufeff/, ''), 'manifest'), 'file-entry');
  return [...entries].find(({ attributes }) => attributes['full-path'] === '/')?.attributes['media-type'];
}

async function entriesOf(source: ByteSource): Promise<ReadonlyMap<string, ZipEntry>> {
  return new Map([...(await zipEntries(source))].map((entry) => [partKey(entry.name), entry]));
}

/** Reads a small entry; undefined for none, and for a large or damaged one. */
async function partOf<T>(
  source: ByteSource,
  entry: ZipEntry | undefined,
  read: (text: string) => T,
): Promise<T | undefined> {
  if (entry === undefined || entry.isEncrypted || entry.inflatedBytes > MAX_PART_BYTES) return undefined;
  try {
    const pieces: Buffer[] = [];
    for await (const piece of inflateZipEntry(source, entry, { isVerified: false })) pieces.push(piece);
    return read(Buffer.concat(pieces).toString('utf8'));
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** The entries of a zip archive, without those of a directory that is too large. Empty if there is none. */
export async function zipEntries(source: ByteSource): Promise<Iterable<ZipEntry>> {
  const range = await zipDirectoryRange(source);
  if (range === null) return [];
  const end = range.start + Math.min(range.size, MAX_DIRECTORY_BYTES);
  return readZipDirectory(Buffer.from(await source.read(range.start, end)));
}
