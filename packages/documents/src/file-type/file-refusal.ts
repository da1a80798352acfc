import { FILE_KINDS, type FileKind, type FileRefusal, isFileKind } from '@citewell/contracts/errors';
import type { ByteSource } from '../archive/zip-directory.js';
import { looksLikeText, startsWith } from '../text-decoding/text-content.js';
import { isCompoundFile, kindOfCompoundFile, kindOfExtension, kindOfSignature } from './binary-kinds.js';
import { type DeclaredType, detectFileType, isTruncatedZip, isZip, zipEntries } from './detect-file-type.js';
import { extensionOf, type FileType, isPicture, typeOfExtension, typeOfMimeType } from './file-type.js';

const HEAD_BYTES = 4096;
const XML_START = /^\s*<(?:\?xml|svg[\s>])/i;
const EMPTY_ZIP = [0x50, 0x4b, 0x05, 0x06];

/** Parts by which zip archives of formats that are not supported are identified. The first rule that matches decides. */
const ZIP_KINDS: readonly (readonly [part: RegExp, kind: FileKind])[] = [
  [/^xl\/workbook\.bin$/, 'OLD_EXCEL'],
  [/^Index\/(?:MasterSlide|Slide)/, 'KEYNOTE'],
  [/^Index\/Tables\/DataList/, 'NUMBERS'],
  [/^visio\//, 'DRAWING'],
  [/\.fdseq$/, 'PRINT_FILE'],
  [/^Contents\/content\.hpf$/, 'WORD_PROCESSOR'],
  [/^(?:META-INF\/MANIFEST\.MF|AndroidManifest\.xml)$/, 'PROGRAM'],
  [/^(?:Index\/Document\.iwa|Index\.zip|index\.xml|index\.apxl)$/, 'PAGES'],
];

/** Formats of one XML file, by their first element or by the program that opens them. */
const XML_KINDS: readonly (readonly [pattern: RegExp, kind: FileKind])[] = [
  [/<svg[\s>]/, 'IMAGE'],
  [/vnd\.oasis\.opendocument\.text/, 'WORD_PROCESSOR'],
  [/vnd\.oasis\.opendocument\.spreadsheet/, 'OPEN_SPREADSHEET'],
  [/vnd\.oasis\.opendocument\.presentation/, 'OPEN_PRESENTATION'],
  [/vnd\.oasis\.opendocument\.graphics/, 'DRAWING'],
  [/progid="Word\.Document"/, 'OLD_WORD'],
  [/progid="Excel\.Sheet"/, 'OLD_EXCEL'],
  [/progid="PowerPoint\.Show"/, 'OLD_POWERPOINT'],
];

/**
 * Why a file is refused: a file without bytes, or one for which `detectFileType` and `isArchive` have found no type.
 * Kinds that cannot be read are named whatever their extension is, unless that is one of a type that can be read.
 */
export async function refusalOf(source: ByteSource, declared: DeclaredType): Promise<FileRefusal> {
  if (source.size === 0) return { reason: 'EMPTY_FILE' };
  const extension = extensionOf(declared.fileName);
  const kind = await detectFileKind(source, extension);
  const claimsReadable = typeOfExtension(extension) !== null || extension === 'zip';
  if (claimsReadable && !isNamedAs(kind, extension)) return { reason: 'MISNAMED_FILE', kind, extension };
  if (!isReadable(kind)) return { reason: 'UNREADABLE_FILE', kind };
  const type = declared.declaredMimeType?.split(';', 1)[0]?.trim() ?? '';
  if (typeOfMimeType(type) !== null) return { reason: 'MISDECLARED_FILE', kind, type };
  // Readable content, under an extension of another kind: `notes.doc` that is a ZIP archive.
  if (extension !== '') return { reason: 'MISNAMED_FILE', kind, extension };
  return { reason: 'MISDECLARED_FILE', kind, type };
}

function isReadable(kind: FileKind): boolean {
  return 'extension' in FILE_KINDS[kind];
}

/** CSV and Markdown are text. */
function kindOfType(type: FileType): FileKind {
  if (isPicture(type)) return 'PICTURE';
  const kinds = Object.keys(FILE_KINDS).filter((kind) => isFileKind(kind));
  return kinds.find((kind) => typeOfKind(kind) === type) ?? 'TEXT';
}

function typeOfKind(kind: FileKind): FileType | null {
  const entry = FILE_KINDS[kind];
  return 'extension' in entry ? typeOfExtension(entry.extension) : null;
}

/** Whether a file of this kind may have this extension. */
function isNamedAs(kind: FileKind, extension: string): boolean {
  if (!isReadable(kind)) return kindOfExtension(extension) === kind;
  const type = typeOfKind(kind);
  return type === null ? kind === 'ZIP' && extension === 'zip' : type === typeOfExtension(extension);
}

/**
 * What a file is by its content, whatever its name and its declared type say. The extension decides only between kinds
 * that share a container.
 *
 * @param extension in lower case, without the dot
 */
async function detectFileKind(source: ByteSource, extension: string): Promise<FileKind> {
  const head = await source.read(0, Math.min(source.size, HEAD_BYTES));
  if (isCompoundFile(head)) {
    const byExtension = kindOfExtension(extension);
    return (await kindOfCompoundFile(source, head)) ?? byExtension ?? 'OLD_OFFICE';
  }
  const beginning = new TextDecoder().decode(head);
  const type = await detectFileType(source, { fileName: '' });
  if (type !== null) return kindOfType(type);
  if (isZip(head) || startsWith(head, EMPTY_ZIP)) return kindOfZip(source, head, extension);
  const bySignature = await kindOfSignature(head);
  if (bySignature !== null) return bySignature;
  if (XML_START.test(beginning) && looksLikeText(head))
    return XML_KINDS.find(([pattern]) => pattern.test(beginning))?.[1] ?? kindOfExtension(extension) ?? 'XML';
  return kindOfExtension(extension) ?? 'BINARY';
}

async function kindOfZip(source: ByteSource, head: Uint8Array, extension: string): Promise<FileKind> {
  // The first entry of an OpenDocument file is its type, uncompressed (ODF 1.3, part 2, 3.3).
  const first = Buffer.from(head).toString('latin1', 30, 120);
  if (first.startsWith('mimetypeapplication/vnd.oasis.opendocument.')) return 'DRAWING';
  if (isZip(head) && (await isTruncatedZip(source))) return 'INCOMPLETE';
  const byExtension = kindOfExtension(extension);
  if (byExtension === 'PAGES' || byExtension === 'NUMBERS' || byExtension === 'KEYNOTE') return byExtension;
  const names = [...(await zipEntries(source))].map(({ name }) => name);
  return ZIP_KINDS.find(([part]) => names.some((name) => part.test(name)))?.[1] ?? 'ZIP';
}
