import { createHash } from 'node:crypto';
import { shortTitle } from '../document/canonical-text.js';
import type { Block, Document } from '../document/document.js';
import { cutRun, piecesOf, type Piece } from './block-pieces.js';
import { headerOf } from './chunk-header.js';
import { countTokens as countByDefault, type CountTokens } from './count-tokens.js';

/** The unit that is embedded, found and cited. */
export interface Chunk {
  /** From 0, in the order of the text. */
  readonly ordinal: number;
  /** UTF-16 offsets into the document's text: `text` is that slice, and what is cited. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Context that stands above `text` when it is embedded and shown to the model, never in a citation. May be `''`. */
  readonly header: string;
  /** Page or slide on which it begins. */
  readonly page?: number;
  /** Titles of the headings that the chunk is under, its own first heading included. */
  readonly headingPath: readonly string[];
  /** Where its first text below its headings is. */
  readonly anchor?: string;
  /** Of {@link embeddedText}: what an embedding model is charged for. */
  readonly tokens: number;
  /** First 32 hexadecimal digits of the SHA-256 of {@link embeddedText}: equal hashes have equal vectors. */
  readonly contentHash: string;
}

export interface ChunkOptions {
  /** A section smaller than this is joined with the next one, unless a heading of level 1 or 2 is between. Default 200. */
  readonly minTokens?: number;
  /** No chunk, header included, has more, unless a single grapheme does. Default 500, at least 16. */
  readonly maxTokens?: number;
  /** The embedding model's own counter, where there is one. Default: {@link countByDefault}. */
  readonly countTokens?: CountTokens;
}

/** A header takes at most this share of a chunk. */
const HEADER_SHARE = 0.3;
/** Headings of these levels begin a new chunk, however small the one before is. */
const DIVIDING_LEVEL = 2;

/** What is embedded and shown to the model. */
export function embeddedText(chunk: Pick<Chunk, 'header' | 'text'>): string {
  return chunk.header === '' ? chunk.text : `${chunk.header}\n${chunk.text}`;
}

/**
 * Divides a document into chunks along its blocks, lazily. Every character that is not white space is in exactly one.
 *
 * A chunk ends before a heading of level 1 or 2, at the end of a page (a paragraph that runs on belongs to the page
 * on which it begins), before any other heading once it has `minTokens`, and where the next piece does not fit. A
 * heading stays with what follows it. A table is divided between rows; a row, a sentence or a word only when it does
 * not fit by itself; a program is whole where it fits with its headings.
 *
 * Chunks do not overlap. What an overlap is for, context that was cut off, is in the header; that it helps beyond that
 * was not measured, and every shared token is embedded, stored and shown twice.
 *
 * @throws RangeError for impossible bounds
 */
export function* chunkDocument(document: Document, options: ChunkOptions = {}): Generator<Chunk> {
  const { minTokens = 200, maxTokens = 500, countTokens = countByDefault } = options;
  if (!(maxTokens >= 16) || !(minTokens >= 0) || minTokens > maxTokens) {
    throw new RangeError(`chunk bounds ${minTokens}..${maxTokens} are impossible`);
  }
  const headerTokens = Math.trunc(maxTokens * HEADER_SHARE);
  const packer = new ChunkPacker(document, { maxTokens, headerTokens, countTokens });
  for (const block of document.blocks) {
    // As much as fits under any header, so that a piece never has to be divided again for its header's sake.
    const pieces = piecesOf(
      document.text,
      block,
      maxTokens - headerTokens - 1,
      countTokens,
      wholeTokens(document, block, { maxTokens, headerTokens, countTokens }),
    );
    let isFirst = true;
    for (const piece of pieces) {
      if (isFirst && packer.mustEndBefore(piece, minTokens)) yield* packer.flush();
      else if (!packer.hasRoomFor(piece)) yield* packer.flushBefore();
      packer.add(piece);
      isFirst = false;
    }
  }
  yield* packer.flush();
}

/**
 * A program that is cut is no program: it may take all that its header leaves, and the headings above it, which are in
 * the header too and stand before it in the chunk.
 */
function wholeTokens(document: Document, block: Block, bounds: Bounds): number {
  if (block.kind !== 'code') return 0;
  const { maxTokens, headerTokens, countTokens } = bounds;
  const piece = { block, start: block.start, end: block.end, tokens: 0 };
  return maxTokens - 2 * countTokens(headerOf(document, piece, headerTokens, countTokens)) - SEPARATOR_TOKENS;
}

/** Between the header, headings and what follows: one each. */
const SEPARATOR_TOKENS = 8;

interface Bounds {
  readonly maxTokens: number;
  readonly headerTokens: number;
  readonly countTokens: CountTokens;
}

/** Collects pieces and makes chunks of them. */
class ChunkPacker {
  private pieces: Piece[] = [];
  /** Of the pieces and the header above them. */
  private tokens = 0;
  private header = '';
  private ordinal = 0;

  constructor(
    private readonly document: Document,
    private readonly bounds: Bounds,
  ) {}

  mustEndBefore({ block }: Piece, minTokens: number): boolean {
    const last = this.pieces.at(-1)?.block;
    if (last === undefined) return false;
    if (last.page !== block.page) return true;
    if (block.kind !== 'heading' || this.pieces.every((piece) => piece.block.kind === 'heading'))
      return false;
    return (block.level ?? 1) <= DIVIDING_LEVEL || this.tokens >= minTokens;
  }

  hasRoomFor(piece: Piece): boolean {
    // One for the separator before it.
    return this.pieces.length === 0 || this.tokens + piece.tokens + 1 <= this.bounds.maxTokens;
  }

  add(piece: Piece): void {
    if (this.pieces.length === 0) {
      const { headerTokens, countTokens } = this.bounds;
      this.header = headerOf(this.document, piece, headerTokens, countTokens);
      this.tokens = this.header === '' ? 0 : countTokens(this.header);
    }
    this.pieces.push(piece);
    this.tokens += piece.tokens + 1;
  }

  /** Ends the chunk in the middle of a section: headings at its end go to the next one, where their text is. */
  *flushBefore(): Generator<Chunk> {
    const body = this.pieces.findLastIndex((piece) => piece.block.kind !== 'heading') + 1;
    const headings = body === 0 ? [] : this.pieces.splice(body);
    yield* this.flush();
    for (const heading of headings) this.add(heading);
  }

  *flush(): Generator<Chunk> {
    const { pieces, header } = this;
    this.pieces = [];
    this.tokens = 0;
    yield* this.chunksOf(pieces, header);
  }

  /** One chunk; more in the rare case that the whole counts more tokens than its pieces did. */
  private *chunksOf(pieces: readonly Piece[], header: string): Generator<Chunk> {
    const [first] = pieces;
    const last = pieces.at(-1);
    if (first === undefined || last === undefined) return;
    const { maxTokens, headerTokens, countTokens } = this.bounds;
    const chunk = this.chunkOf(pieces, first, last, header);
    if (chunk.tokens <= maxTokens) {
      this.ordinal += 1;
      yield chunk;
      return;
    }
    if (pieces.length > 1) {
      const middle = Math.ceil(pieces.length / 2);
      const second = pieces.slice(middle);
      const [head] = second;
      yield* this.chunksOf(pieces.slice(0, middle), header);
      if (head !== undefined) {
        yield* this.chunksOf(second, headerOf(this.document, head, headerTokens, countTokens));
      }
      return;
    }
    const halves = [
      ...cutRun(this.document.text, first.block, first, Math.trunc(first.tokens / 2), countTokens),
    ];
    if (halves.length > 1) for (const half of halves) yield* this.chunksOf([half], header);
    else {
      this.ordinal += 1;
      yield chunk;
    }
  }

  private chunkOf(pieces: readonly Piece[], first: Piece, last: Piece, header: string): Chunk {
    const { text: source } = this.document;
    // Line ends between two pieces belong to neither end of a citation.
    const start = first.start + leadingBreaks(source, first.start, first.end);
    const end = first.start + source.slice(first.start, last.end).trimEnd().length;
    const text = source.slice(start, end);
    const embedded = embeddedText({ header, text });
    const { page } = first.block;
    // Where its text is, not where the headings above that begin.
    const body = pieces.find(({ block }) => block.kind !== 'heading') ?? last;
    const anchor = body.block.anchor ?? first.block.anchor;
    return {
      ordinal: this.ordinal,
      start,
      end,
      text,
      header,
      ...(page === undefined ? {} : { page }),
      headingPath: commonPath(source, pieces),
      ...(anchor === undefined ? {} : { anchor }),
      tokens: this.bounds.countTokens(embedded),
      contentHash: createHash('sha256').update(embedded).digest('hex').slice(0, 32),
    };
  }
}

function leadingBreaks(text: string, start: number, end: number): number {
  let breaks = 0;
  while (start + breaks < end && text.charAt(start + breaks) === '\n') breaks += 1;
  return breaks;
}

/** The headings that all of a chunk's text is under. Of a chunk that is nothing but headings: the last one's, with it. */
function commonPath(text: string, pieces: readonly Piece[]): readonly string[] {
  const body = pieces.filter(({ block }) => block.kind !== 'heading');
  if (body.length === 0) {
    const last = pieces.at(-1)?.block;
    return last === undefined ? [] : [...last.headingPath, shortTitle(text.slice(last.start, last.end))];
  }
  const [first = [], ...others] = body.map(({ block }) => block.headingPath);
  const length = others.reduce((common, path) => {
    const difference = first.slice(0, common).findIndex((title, depth) => title !== path[depth]);
    return difference < 0 ? common : difference;
  }, first.length);
  return first.slice(0, length);
}
