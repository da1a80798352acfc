import iconv from 'iconv-lite';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentParser } from '../document-parser.js';
import { RtfReader } from './rtf-reader.js';
import { rtfTokens } from './rtf-tokens.js';

/**
 * Reads Rich Text Format (version 1.9.1): paragraphs, headings by style or outline level, lists, tables,
 * notes, text boxes and comments, then headers and footers. Pictures, embedded objects and hidden text are omitted.
 */
export const rtfParser: DocumentParser = {
  parse: ({ bytes }, builder) => addRtf(bytes, builder),
};

/** Adds the text of Rich Text Format. @throws DocumentError CORRUPT_FILE for other bytes */
export function addRtf(bytes: Uint8Array, builder: DocumentBuilder): void {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!rtf.startsWith('{\\rtf')) throw new DocumentError('CORRUPT_FILE', 'no RTF header');
  new RtfReader(builder, decode).read(rtfTokens(rtf));
}

function decode(bytes: Buffer, encoding: string): string {
  return iconv.decode(bytes, iconv.encodingExists(encoding) ? encoding : 'windows-1252');
}
