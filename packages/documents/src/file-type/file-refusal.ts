import { FILE_KINDS, type FileKind, type FileRefusal } from '@citewell/contracts/errors';
import { kindOfExtension } from './binary-kinds.js';
import { detectFileKind } from './detect-file-kind.js';
import type { ByteSource } from '../archive/zip-directory.js';
import type { DeclaredType } from './detect-file-type.js';
import { extensionOf, typeOfExtension, typeOfMimeType } from './file-type.js';

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

/** Whether a file of this kind may have this extension. */
function isNamedAs(kind: FileKind, extension: string): boolean {
  const entry = FILE_KINDS[kind];
  if (!('extension' in entry)) return kindOfExtension(extension) === kind;
  if (entry.extension === extension) return true;
  const type = typeOfExtension(extension);
  return type !== null && type === typeOfExtension(entry.extension);
}
