import { createHash } from 'node:crypto';
import { decodeBlocks, encodeBlocks } from './block-codec.js';
import type { DocumentContent } from './document.js';
import { assertRecord, isPositiveInteger } from './outline-values.js';

/** A document encoded as two blobs. */
export interface EncodedDocument {
  /** The canonical text in UTF-16LE: byte offset = 2 × character offset, so a slice is one range read. */
  readonly text: Buffer;
  /** UTF-8 JSON of the content except the text. Pages that differ only in metadata have the same outline. */
  readonly outline: Buffer;
}

export function encodeDocument(document: DocumentContent): EncodedDocument {
  return { text: Buffer.from(document.text, 'utf16le'), outline: Buffer.from(encodeOutline(document)) };
}

/** SHA-256 of outline and text, in hexadecimal: equal for documents with the same content and structure. */
export function hashEncoded({ text, outline }: EncodedDocument): string {
  return createHash('sha256').update(outline).update(text).digest('hex');
}

/** @throws TypeError when the outline is invalid or does not belong to the text; SyntaxError when it is not JSON */
export function decodeDocument(encoded: { text: Uint8Array; outline: Uint8Array }): DocumentContent {
  return decodeOutline(viewOf(encoded.text).toString('utf16le'), viewOf(encoded.outline).toString('utf8'));
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

export function encodeOutline({ title, language, blocks, pageCount }: DocumentContent): string {
  return JSON.stringify({ title, language, pageCount, blocks: encodeBlocks(blocks) });
}

/**
 * Decodes the output of {@link encodeOutline}, which may come from a process that read hostile input. Blocks,
 * title and language are validated; invalid optional fields are dropped.
 *
 * @throws TypeError when the outline is invalid or does not belong to the text; SyntaxError when it is not JSON
 */
export function decodeOutline(text: string, json: string): DocumentContent {
  const outline: unknown = JSON.parse(json);
  assertRecord(outline, 'outline');
  const { title, language, blocks, pageCount } = outline;
  if (!isStringOrNull(title) || !isStringOrNull(language))
    throw new TypeError('title or language is neither a string nor null');
  if (!Array.isArray(blocks)) throw new TypeError('blocks is not an array');
  return {
    title,
    language,
    text,
    blocks: decodeBlocks(text, blocks),
    ...(isPositiveInteger(pageCount) ? { pageCount } : {}),
  };
}

function isStringOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
