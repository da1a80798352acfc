import { createHash } from 'node:crypto';
import { decodeBlocks, encodeBlocks } from './block-codec.js';
import type { Document } from './document.js';
import { assertRecord, isPositiveInteger, isStringArray } from './outline-values.js';

/** A document as two blobs. */
export interface EncodedDocument {
  /** The canonical text in UTF-16LE: a character offset is a byte offset / 2, so a slice is one range read. */
  readonly text: Buffer;
  /** JSON in UTF-8 of everything but the text. */
  readonly outline: Buffer;
}

export function encodeDocument(document: Document): EncodedDocument {
  return { text: Buffer.from(document.text, 'utf16le'), outline: Buffer.from(encodeOutline(document)) };
}

/** SHA-256, in hex, over outline and text: equal for documents that say the same in the same blocks. */
export function hashEncoded({ text, outline }: EncodedDocument): string {
  return createHash('sha256').update(outline).update(text).digest('hex');
}

/** @throws TypeError when the outline does not belong to the text */
export function decodeDocument(encoded: { text: Uint8Array; outline: Uint8Array }): Document {
  return decodeOutline(viewOf(encoded.text).toString('utf16le'), viewOf(encoded.outline).toString('utf8'));
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

export function encodeOutline({ text: _text, blocks, ...outline }: Document): string {
  return JSON.stringify({ ...outline, blocks: encodeBlocks(blocks) });
}

/** The way back from {@link encodeOutline}; everything is checked, because it may come from a process that read hostile input. */
export function decodeOutline(text: string, json: string): Document {
  const outline: unknown = JSON.parse(json);
  assertRecord(outline, 'outline');
  const { title, language, blocks, metadata, pageCount, boilerplate } = outline;
  if (!isStringOrNull(title) || !isStringOrNull(language))
    throw new TypeError('title or language is no string');
  if (!Array.isArray(blocks)) throw new TypeError('blocks is no array');
  assertRecord(metadata, 'metadata');
  return {
    title,
    language,
    text,
    blocks: decodeBlocks(text, blocks),
    metadata: Object.fromEntries(Object.entries(metadata).filter(isMetadataEntry)),
    ...(isPositiveInteger(pageCount) ? { pageCount } : {}),
    ...(isStringArray(boilerplate) ? { boilerplate } : {}),
  };
}

function isMetadataEntry(entry: [string, unknown]): entry is [string, string | number | boolean] {
  return ['string', 'number', 'boolean'].includes(typeof entry[1]);
}

function isStringOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
