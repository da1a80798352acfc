import type { ByteSource } from '../archive/zip-directory.js';
import type { DeclaredType } from './detect-file-type.js';
import { extensionOf } from './file-type.js';
import { startsWith } from '../text-decoding/text-content.js';

const ZIP_MIME_TYPES = ['application/zip', 'application/x-zip-compressed'];
const LOCAL_HEADER = [0x50, 0x4b, 0x03, 0x04];
/** What an archive without files begins with. */
const END_RECORD = [0x50, 0x4b, 0x05, 0x06];

/**
 * Whether a file of no supported type (see `detectFileType`) is a zip archive of files: it begins as one, and is named
 * `.zip`. Without an extension, the declared MIME type counts.
 */
export async function isArchive(source: ByteSource, declared: DeclaredType): Promise<boolean> {
  const extension = extensionOf(declared.fileName);
  const essence = declared.declaredMimeType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (extension !== 'zip' && (extension !== '' || !ZIP_MIME_TYPES.includes(essence))) return false;
  const head = await source.read(0, Math.min(source.size, LOCAL_HEADER.length));
  return startsWith(head, LOCAL_HEADER) || startsWith(head, END_RECORD);
}
