import PostalMime from 'postal-mime';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import { addHtml } from '../html/add-html.js';
import { declaredCharset } from '../html/html-encoding.js';
import type { OfficePackage } from '../office/office-package.js';
import { addPlainText } from '../plain-text/plain-text.parser.js';
import { addRtf } from '../rtf/rtf.parser.js';
import { decodeText } from '../text-decoding/decode-text.js';

/** Adds the text of a file to a document. */
export type AddText = (builder: DocumentBuilder) => void;

/** Fields that a web archive (MHTML) begins with. */
const MESSAGE = /^\s*(?:mime-version|from|content-type|content-transfer-encoding|subject|date|x-[\w-]+)\s*:/i;
const TAG = /<(?:!doctype|\?xml|html|head|body|div|h[1-6]|p|table|span|ul|ol|br|b|i|a)\b/i;

/**
 * Reads the files that a document contains as parts (`altChunk`, ECMA-376 Part 1, 17.17.2): web pages, web archives, RTF,
 * plain text and Word documents. A file that cannot be read is a warning. All share the limits of one file.
 *
 * @param readWord reads a Word document
 * @returns what adds their text, by the id of the relationship
 */
export async function readChunks(
  office: OfficePackage,
  main: string,
  readWord: (bytes: Uint8Array) => Promise<AddText>,
): Promise<Map<string, AddText>> {
  const chunks = new Map<string, AddText>();
  for (const [id, { type, target }] of office.relationships(main)) {
    if (type !== 'aFChunk' || !office.isFirstVisit(target)) continue;
    try {
      chunks.set(id, await readChunk(office.bytes(target), readWord));
    } catch (error) {
      if (!(error instanceof DocumentError) || error.code === 'TOO_COMPLEX') throw error;
      chunks.set(id, (builder) => builder.warn('PARTLY_READ'));
    }
  }
  return chunks;
}

async function readChunk(bytes: Buffer, readWord: (bytes: Uint8Array) => Promise<AddText>): Promise<AddText> {
  const head = bytes.toString('latin1', 0, 4096);
  if (head.startsWith('PK')) return readWord(bytes);
  if (head.startsWith('{\\rtf')) {
    const copy = Uint8Array.from(bytes);
    return (builder) => addRtf(copy, builder);
  }
  if (MESSAGE.test(head)) {
    const { html = '', text = '' } = await PostalMime.parse(Uint8Array.from(bytes));
    return (builder) => (html.trim() === '' ? addPlainText(text, builder) : addHtml(html, builder));
  }
  const { text } = await decodeText(bytes, { declared: declaredCharset(bytes) });
  return (builder) => (TAG.test(text) ? addHtml(text, builder) : addPlainText(text, builder));
}
