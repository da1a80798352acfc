import { inflateZipEntry } from '../archive/zip-entries.js';
import {
  findZipDirectory,
  readZipDirectory,
  ZIP_TAIL_BYTES,
  type ZipDirectoryRange,
  type ZipEntry,
} from '../archive/zip-directory.js';
import { DocumentError } from '../document/document-error.js';
import { mainPartOf, type OfficeKind, officeKindOf, partKey } from '../office/main-part.js';
import { readXmlTree, type XmlElement } from '../xml/xml-tree.js';
import { isCompoundFile, kindOfCompoundFile } from './compound-file.js';
import { DOCX, EPUB, ODT, PPTX, XLSX, type FileType } from './file-type.js';
import type { ByteSource } from '../archive/zip-directory.js';
import { startsWith } from '../text-decoding/text-content.js';

const OFFICE_TYPES: Readonly<Record<OfficeKind, FileType>> = { word: DOCX, ppt: PPTX, xl: XLSX };
/** Main parts of packages without relationships. */
const USUAL_PARTS: Readonly<Record<string, FileType>> = {
  'word/document.xml': DOCX,
  'ppt/presentation.xml': PPTX,
  'xl/workbook.xml': XLSX,
};
/** Texts and templates of texts. */
const OPEN_DOCUMENT_TEXT: ReadonlySet<string> = new Set([ODT, `${ODT}-template`]);

const ZIP_LOCAL_HEADER = [0x50, 0x4b, 0x03, 0x04];
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
export async function typeOfZip(source: ByteSource): Promise<FileType | null> {
  const entries = await entriesOf(source);
  const openDocument = await textOf(source, entries.get('mimetype'));
  if (OPEN_DOCUMENT_TEXT.has(openDocument.trim())) return ODT;
  if (entries.has('meta-inf/container.xml')) return EPUB;
  const relationships = treeOf(await textOf(source, entries.get('_rels/.rels')), 'Relationships');
  const main = relationships === undefined ? undefined : mainPartOf(relationships);
  if (main !== undefined && entries.has(partKey(main))) {
    const types = treeOf(await textOf(source, entries.get('[content_types].xml')), 'Types');
    const kind = officeKindOf(main, types);
    return kind === undefined ? null : OFFICE_TYPES[kind];
  }
  return Object.entries(USUAL_PARTS).find(([part]) => entries.has(part))?.[1] ?? null;
}

async function entriesOf(source: ByteSource): Promise<ReadonlyMap<string, ZipEntry>> {
  return new Map([...(await zipEntries(source))].map((entry) => [partKey(entry.name), entry]));
}

/** The text of a small entry; `''` for none, and for a large or damaged one. */
async function textOf(source: ByteSource, entry: ZipEntry | undefined): Promise<string> {
  if (entry === undefined || entry.isEncrypted || entry.inflatedBytes > MAX_PART_BYTES) return '';
  try {
    const pieces: Buffer[] = [];
    for await (const piece of inflateZipEntry(source, entry)) pieces.push(piece);
    return Buffer.concat(pieces).toString('utf8');
  } catch (error) {
    if (error instanceof DocumentError) return '';
    throw error;
  }
}

function treeOf(xml: string, root: string): XmlElement | undefined {
  try {
    return xml === '' ? undefined : readXmlTree(xml, root);
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
  return isCompoundFile(head) && (await kindOfCompoundFile(source, head)) === 'ENCRYPTED';
}
