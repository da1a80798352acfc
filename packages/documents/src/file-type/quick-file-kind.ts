import type { FileKind } from '@citewell/contracts/errors';
import { isCompoundFile, kindOfExtension, kindOfSignature } from './binary-kinds.js';
import { looksLikeText, startsWith } from '../text-decoding/text-content.js';

/** How many bytes of a file tell its kind. */
export const QUICK_HEAD_BYTES = 4096;

const ZIP = [0x50, 0x4b];
/** Text that is not read as such: XML and SVG. PostScript has a signature. */
const MARKUP = /^\s*(?:<\?xml|<svg[\s>])/i;

/**
 * What a file is whose extension is not that of a supported type, by its first bytes; null if it can be read as plain
 * text. The server decides by the whole file: see `detectFileType`.
 *
 * @param extension in lower case, without the dot
 */
export async function quickFileKind(head: Uint8Array, extension: string): Promise<FileKind | null> {
  const byExtension = kindOfExtension(extension);
  if (isCompoundFile(head)) return byExtension ?? 'OLD_OFFICE';
  if (startsWith(head, ZIP)) return byExtension ?? 'ZIP';
  const bySignature = await kindOfSignature(head);
  if (looksLikeText(head) && bySignature !== 'PRINT_FILE') {
    if (
      !MARKUP.test(
        Buffer.from(head)
          .toString('utf8')
          .replace(/^\ufeff/, ''),
      )
    )
      return null;
    return byExtension ?? 'XML';
  }
  return bySignature ?? byExtension ?? 'BINARY';
}
