import {
  extensionOf,
  isExtraType,
  isTextual,
  isZipType,
  typeOfExtension,
  typeOfMimeType,
  type FileType,
} from './file-type.js';
import { isEncryptedOffice, isZip, isZipCutOff, officeTypeOfZip } from './office-signature.js';
import { isTextSample, looksLikeText, utf16ByteOrder } from './text-content.js';

/** Anything of which ranges can be read: a file, a blob, bytes in memory. */
export interface ByteSource {
  readonly size: number;
  /** @param end exclusive, at most `size` */
  read(start: number, end: number): Promise<Uint8Array>;
}

export interface DeclaredType {
  readonly fileName: string;
  /** As the client sent it; parameters such as `charset` are ignored. */
  readonly declaredMimeType?: string;
  /** Of {@link EXTRA_FILE_TYPES} those that are taken. Default: none. */
  readonly extraTypes?: readonly string[];
}

const HEAD_BYTES = 4096;
/** Text that belongs to formats which we do not read, though they are made of characters. */
const FOREIGN_MARKUP = /^\s*(?:<!doctype\s+html|<html[\s>]|<\?xml|<svg[\s>]|\{\\rtf|%!PS)/i;

/**
 * Decides which of the eight types a file has; `null` is a file that is none of them or lies about it.
 *
 * The claim is what the name's extension says, and what the declared MIME type says. `application/octet-stream`, no
 * type, `text/plain` (which form parsers report for no type), and types that we do not read (browsers on Windows send `.csv` as `application/vnd.ms-excel`) claim nothing.
 *
 * | content | claim | outcome |
 * |---|---|---|
 * | `%PDF-` at the beginning (in the first 1,024 bytes if PDF is claimed) | nothing textual | PDF |
 * | zip whose directory has `word/document.xml`, `ppt/presentation.xml`, `xl/workbook.xml` | nothing textual | that type, whatever else is claimed |
 * | zip without its directory, which stands at the end | an Office type | the claimed type (its parser says that it is cut off) |
 * | encrypted Office file | an Office type | the claimed type (its parser asks for the password) |
 * | any of these | a textual type | `null`: it lies |
 * | other zips, known binary signatures, zero bytes that are not UTF-16, many control characters | anything | `null` |
 * | text, or nothing at all | a binary type | `null`: it lies |
 * | text | a textual extension | by the extension; `.txt` with a more precise declared type: the declared one |
 * | text | no known extension, a textual declared type | the declared type |
 * | text | none | JSON if it begins and ends like an object or array, `null` if it is HTML, XML, RTF or PostScript, else plain text |
 */
export async function detectFileType(source: ByteSource, declared: DeclaredType): Promise<FileType | null> {
  const onlyTaken = (type: FileType | null): FileType | null =>
    type === null || !isExtraType(type) || declared.extraTypes?.includes(type) === true ? type : null;
  const byName = onlyTaken(typeOfExtension(extensionOf(declared.fileName)));
  const byMime = onlyTaken(typeOfMimeType(declared.declaredMimeType));
  // What form parsers say of a part without a type: no claim.
  const claims = [byName, byMime === 'text/plain' ? null : byMime].filter((claim) => claim !== null);
  const head = await source.read(0, Math.min(source.size, HEAD_BYTES));

  const binary = await binaryType(source, head, claims);
  if (binary !== null) return claims.some(isTextual) ? null : onlyTaken(binary);
  if (claims.some((claim) => !isTextual(claim))) return null;
  if (!looksLikeText(head) || !(await isTextFurtherOn(source, head))) return null;

  // A client that knows nothing better sends text/plain for everything: the extension knows more, and the other way
  // round for `notes.txt` sent as text/markdown.
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
  const archive = claims.find(isZipType) ?? null;
  if (isZip(head)) return (await isZipCutOff(source)) ? archive : await officeTypeOfZip(source);
  if (await isEncryptedOffice(source, head)) return archive === 'application/epub+zip' ? null : archive;
  return null;
}

/** The beginning may be text and the rest not: the middle and the end are looked at too. */
async function isTextFurtherOn(source: ByteSource, head: Uint8Array): Promise<boolean> {
  if (source.size <= HEAD_BYTES || utf16ByteOrder(head) !== null) return true;
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
  const beginning = Buffer.from(head)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  if (FOREIGN_MARKUP.test(beginning)) return null;
  const end = Buffer.from(await source.read(Math.max(0, source.size - 64), source.size))
    .toString('utf8')
    .trimEnd();
  const first = beginning.trimStart().charAt(0);
  const isJson = (first === '{' && end.endsWith('}')) || (first === '[' && end.endsWith(']'));
  return isJson ? 'application/json' : 'text/plain';
}
