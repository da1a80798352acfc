import { createHash } from 'node:crypto';
import { BLOCK_KINDS, type Block, type Document } from './document.js';

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

export function encodeOutline({ text: _text, ...outline }: Document): string {
  return JSON.stringify(outline);
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
  let end = 0;
  const checked = blocks.map((block: unknown) => {
    const next = decodeBlock(block, end, text.length);
    end = next.end;
    return next;
  });
  return {
    title,
    language,
    text,
    blocks: checked,
    metadata: Object.fromEntries(Object.entries(metadata).filter(isMetadataEntry)),
    ...(isPositiveInteger(pageCount) ? { pageCount } : {}),
    ...(isStringArray(boilerplate) ? { boilerplate } : {}),
  };
}

function decodeBlock(block: unknown, after: number, length: number): Block {
  assertRecord(block, 'block');
  const { start, end, level, page, headingPath, anchor, headerEnd } = block;
  const kind = BLOCK_KINDS.find((known) => known === block['kind']);
  if (kind === undefined) throw new TypeError('unknown kind of block');
  if (!isOffset(start) || !isOffset(end) || start < after || end <= start || end > length) {
    throw new TypeError('a block lies outside the text or overlaps another');
  }
  if (!isStringArray(headingPath)) {
    throw new TypeError('headingPath is no array of strings');
  }
  return {
    kind,
    start,
    end,
    headingPath,
    ...(isPositiveInteger(level) ? { level } : {}),
    ...(isPositiveInteger(page) ? { page } : {}),
    ...(typeof anchor === 'string' ? { anchor } : {}),
    ...(isOffset(headerEnd) && headerEnd > start && headerEnd <= end ? { headerEnd } : {}),
  };
}

function assertRecord(value: unknown, name: string): asserts value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${name} is no object`);
}

function isMetadataEntry(entry: [string, unknown]): entry is [string, string | number | boolean] {
  return ['string', 'number', 'boolean'].includes(typeof entry[1]);
}

function isStringOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isOffset(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

function isPositiveInteger(value: unknown): value is number {
  return isOffset(value) && value > 0;
}
