import { createHash } from 'node:crypto';
import { shortTitle } from './canonical-text.js';
import { type Block, BLOCK_KINDS, type DocumentContent, MAX_HEADING_LEVEL } from './document.js';
import { DESCRIBED } from './recognition.js';

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

/**
 * A block in an outline. It references its heading instead of repeating titles and anchors: otherwise the
 * size of an outline would be the number of blocks times the headings above them, and a page of 10 MB could
 * have an outline of gigabytes.
 */
interface OutlineBlock extends Omit<Block, 'headingPath' | 'anchor'> {
  /** Index of the innermost heading above this block. Absent when there is none. */
  readonly under?: number;
  /** Absent when it equals the previous block's anchor; `null` when only the previous block has one. */
  readonly anchor?: string | null;
}

/** @param blocks as `DocumentBuilder` makes them: heading paths consist of headings among these blocks */
function encodeBlocks(blocks: readonly Block[]): OutlineBlock[] {
  const above: number[] = [];
  let last: string | undefined;
  return blocks.map(({ headingPath, anchor, ...block }, index) => {
    // A path shorter than the previous one has left the innermost headings.
    above.length = Math.min(above.length, headingPath.length);
    const under = above.at(-1);
    if (block.kind === 'heading') above.push(index);
    const changedAnchor = anchor === last ? {} : { anchor: anchor ?? null };
    last = anchor;
    return { ...block, ...(under === undefined ? {} : { under }), ...changedAnchor };
  });
}

/** @throws TypeError when the blocks do not belong to the text */
function decodeBlocks(text: string, blocks: readonly unknown[]): Block[] {
  const decoder = new BlockDecoder(text);
  return blocks.map((block) => decoder.next(block));
}

interface Section {
  readonly level: number;
  /** The heading path of the blocks in this section; they share the array. */
  readonly path: readonly string[];
}

class BlockDecoder {
  private readonly sections = new Map<number, Section>();
  private index = 0;
  private end = 0;
  private anchor: string | undefined;

  constructor(private readonly text: string) {}

  next(block: unknown): Block {
    assertRecord(block, 'block');
    const { start, end, level, page, headerEnd, confidence } = block;
    const kind = BLOCK_KINDS.find((known) => known === block['kind']);
    if (kind === undefined) throw new TypeError('unknown block kind');
    if (!isOffset(start) || !isOffset(end) || start < this.end || end <= start || end > this.text.length) {
      throw new TypeError('a block lies outside the text or overlaps another');
    }
    const above = this.sectionAbove(block);
    if (kind === 'heading') this.addSection(level, above, this.text.slice(start, end));
    const anchor = this.anchorOf(block);
    this.end = end;
    this.index += 1;
    return {
      kind,
      start,
      end,
      headingPath: above?.path ?? [],
      ...(isPositiveInteger(level) ? { level } : {}),
      ...(isPositiveInteger(page) ? { page } : {}),
      ...(anchor === undefined ? {} : { anchor }),
      ...((isOffset(confidence) && confidence <= 100) || confidence === DESCRIBED ? { confidence } : {}),
      ...(isOffset(headerEnd) && headerEnd > start && headerEnd <= end ? { headerEnd } : {}),
    };
  }

  private sectionAbove({ under }: Record<string, unknown>): Section | undefined {
    if (under === undefined) return undefined;
    const section = isOffset(under) ? this.sections.get(under) : undefined;
    if (section === undefined) throw new TypeError('a block is not below the heading it references');
    return section;
  }

  /** Requires increasing levels up to the maximum, which bounds the length of a path. */
  private addSection(level: unknown, above: Section | undefined, heading: string): void {
    if (!isPositiveInteger(level) || level > MAX_HEADING_LEVEL || level <= (above?.level ?? 0)) {
      throw new TypeError('invalid heading level');
    }
    this.sections.set(this.index, { level, path: [...(above?.path ?? []), shortTitle(heading)] });
  }

  private anchorOf({ anchor }: Record<string, unknown>): string | undefined {
    if (anchor !== undefined) this.anchor = typeof anchor === 'string' ? anchor : undefined;
    return this.anchor;
  }
}

/** @throws TypeError when the value is not an object, or is an array */
function assertRecord(value: unknown, name: string): asserts value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${name} is not an object`);
}

function isOffset(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

function isPositiveInteger(value: unknown): value is number {
  return isOffset(value) && value > 0;
}
