import { createHash } from 'node:crypto';
import { shortTitle } from '../document/canonical-text.js';
import type { Block, DocumentContent } from '../document/document.js';
import { DESCRIBED } from '../document/recognition.js';
import { cutToFit, type Piece, splitBlock } from './block-pieces.js';
import { countTokens as countByDefault, type CountTokens } from './count-tokens.js';
import { safeCut } from '../document/safe-cut.js';

/** The unit of embedding, retrieval and citation. */
export interface Chunk {
  /** Position in the document, from 0. */
  readonly ordinal: number;
  /** UTF-16 offsets into the document's text. `text` is that slice and is what gets cited. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Context put above `text` for embedding and for the model, never part of a citation. May be `''`. */
  readonly header: string;
  /** Page or slide on which the chunk begins. */
  readonly page?: number;
  /** Titles of the headings above the chunk's text, including a heading at the start of the chunk. */
  readonly headingPath: readonly string[];
  /** Fragment identifier of the first text below the chunk's headings. */
  readonly anchor?: string;
  /** Of text that OCR has read: the mean of its blocks, in percent. As of a block, it can be `DESCRIBED`. */
  readonly confidence?: number;
  /** Number of tokens of {@link embeddedText}. */
  readonly tokens: number;
  /** First 32 hexadecimal digits of the SHA-256 of {@link embeddedText}. Equal hashes have equal vectors. */
  readonly contentHash: string;
}

export interface ChunkOptions {
  /** A smaller section is joined with the next, unless a level 1 or 2 heading lies between. Default 200. */
  readonly minTokens?: number;
  /**
   * Limit of a chunk including its header; only a single larger grapheme exceeds it. Default 500, minimum 16.
   */
  readonly maxTokens?: number;
  /** What people call the document, for the header of each chunk. Default: none. */
  readonly name?: string;
  /** The tokenizer of the embedding model. Default: {@link countByDefault}. */
  readonly countTokens?: CountTokens;
}

/** Largest share of a chunk's tokens that its header may take. */
const HEADER_SHARE = 0.3;
/** Headings up to this level always begin a new chunk, however small the previous chunk is. */
const DIVIDING_LEVEL = 2;

/**
 * A chunk as it is shown to the model, or one of its windows as it is embedded: the header, a line break and the
 * text.
 */
export function embeddedText(chunk: Pick<Chunk, 'header' | 'text'>): string {
  return chunk.header === '' ? chunk.text : `${chunk.header}\n${chunk.text}`;
}

/**
 * Divides a document into chunks along its blocks, lazily. Every character that is not white space is in
 * exactly one chunk.
 *
 * A chunk ends
 * - before a heading of level 1 or 2,
 * - before and after what a model says about pictures,
 * - at the end of a page (a paragraph that spans pages belongs to the page on which it begins),
 * - before any other heading once the chunk has `minTokens`,
 * - where the next piece does not fit.
 *
 * A heading stays with the text that follows it. A table is divided between rows. A row, sentence or word is
 * divided only when it does not fit into a chunk by itself. A code block stays whole if it fits together with
 * its headings.
 *
 * Chunks do not overlap: the header supplies the context that an overlap would, and every shared token would
 * be embedded, stored and shown twice. Whether an overlap helps beyond that has not been measured.
 *
 * @throws RangeError when `maxTokens` is below 16, or `minTokens` is negative or above `maxTokens`
 */
export function* chunkDocument(content: DocumentContent, options: ChunkOptions = {}): Generator<Chunk> {
  const { minTokens = 200, maxTokens = 500, countTokens = countByDefault, name = '' } = options;
  const document = { ...content, name };
  if (!(maxTokens >= 16) || !(minTokens >= 0) || minTokens > maxTokens) {
    throw new RangeError(`invalid chunk size: minTokens ${minTokens}, maxTokens ${maxTokens}`);
  }
  const headerTokens = Math.trunc(maxTokens * HEADER_SHARE);
  const packer = new ChunkPacker(document, { maxTokens, headerTokens, countTokens });
  for (const block of document.blocks) {
    // A piece of this size fits under the largest header, so that pieces need not be divided again.
    const pieces = splitBlock(
      document.text,
      block,
      maxTokens - headerTokens - 1,
      countTokens,
      maxWholeTokens(document, block, { maxTokens, headerTokens, countTokens }),
    );
    let isFirst = true;
    for (const piece of pieces) {
      if (isFirst && packer.mustEndBefore(piece, minTokens)) yield* packer.flush();
      else if (!packer.fits(piece)) yield* packer.flushBody();
      packer.add(piece);
      isFirst = false;
    }
  }
  yield* packer.flush();
}

/**
 * The size up to which a block is not divided: 0 except for code, which loses its meaning when it is cut. The
 * header is subtracted twice because the headings in it can also stand in the chunk, before the code.
 */
function maxWholeTokens(document: NamedDocument, block: Block, bounds: Bounds): number {
  if (block.kind !== 'code') return 0;
  const { maxTokens, headerTokens, countTokens } = bounds;
  const piece = { block, start: block.start, end: block.end, tokens: 0 };
  return maxTokens - 2 * countTokens(headerOf(document, piece, headerTokens, countTokens)) - SEPARATOR_TOKENS;
}

/** Allowance for the separators between header, headings and code: one token each. */
const SEPARATOR_TOKENS = 8;

interface Bounds {
  readonly maxTokens: number;
  readonly headerTokens: number;
  readonly countTokens: CountTokens;
}

/** Collects pieces and joins them into chunks. */
class ChunkPacker {
  private pieces: Piece[] = [];
  /** Total of the pieces and the header above them. */
  private tokens = 0;
  private header = '';
  private ordinal = 0;

  constructor(
    private readonly document: NamedDocument,
    private readonly bounds: Bounds,
  ) {}

  mustEndBefore({ block }: Piece, minTokens: number): boolean {
    const last = this.pieces.at(-1)?.block;
    if (last === undefined) return false;
    if (last.page !== block.page || isDescribed(last) !== isDescribed(block)) return true;
    if (block.kind !== 'heading' || this.pieces.every((piece) => piece.block.kind === 'heading'))
      return false;
    return (block.level ?? 1) <= DIVIDING_LEVEL || this.tokens >= minTokens;
  }

  fits(piece: Piece): boolean {
    // One token for the separator before the piece.
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

  /**
   * Ends the chunk in the middle of a section. Headings at its end move to the next chunk, with their text.
   */
  *flushBody(): Generator<Chunk> {
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

  /** Yields one chunk, or several if the joined text has more tokens than the sum of its pieces (rare). */
  private *chunksOf(pieces: readonly Piece[], header: string): Generator<Chunk> {
    const [first] = pieces;
    const last = pieces.at(-1);
    if (first === undefined || last === undefined) return;
    const { maxTokens, headerTokens, countTokens } = this.bounds;
    const chunk = this.chunkOf(pieces, first, last, header);
    const cut = (): Piece[] => [
      ...cutToFit(this.document.text, first.block, first, Math.trunc(first.tokens / 2), countTokens),
    ];
    const smaller = chunk.tokens <= maxTokens ? [] : pieces.length > 1 ? pieces : cut();
    const middle = Math.ceil(smaller.length / 2);
    const second = smaller[middle];
    if (second === undefined) {
      this.ordinal += 1;
      yield chunk;
      return;
    }
    yield* this.chunksOf(smaller.slice(0, middle), header);
    const nextHeader = headerOf(this.document, second, headerTokens, countTokens);
    yield* this.chunksOf(smaller.slice(middle), nextHeader);
  }

  private chunkOf(pieces: readonly Piece[], first: Piece, last: Piece, header: string): Chunk {
    const { text: source } = this.document;
    // A citation neither begins nor ends with the line breaks between two pieces.
    const start = first.start + leadingBreaks(source, first.start, first.end);
    const end = first.start + source.slice(first.start, last.end).trimEnd().length;
    const text = source.slice(start, end);
    const embedded = embeddedText({ header, text });
    const { page } = first.block;
    // Link to the first text of the chunk, not to the headings above that text.
    const body = pieces.find(({ block }) => block.kind !== 'heading') ?? last;
    const anchor = body.block.anchor ?? first.block.anchor;
    const confidence = confidenceOf(pieces);
    return {
      ordinal: this.ordinal,
      start,
      end,
      text,
      header,
      ...(page === undefined ? {} : { page }),
      headingPath: commonPath(source, pieces),
      ...(anchor === undefined ? {} : { anchor }),
      ...(confidence === undefined ? {} : { confidence }),
      tokens: this.bounds.countTokens(embedded),
      contentHash: createHash('sha256').update(embedded).digest('hex').slice(0, 32),
    };
  }
}

function isDescribed({ confidence }: Block): boolean {
  return confidence === DESCRIBED;
}

/** The mean of recognized pieces by their length; undefined if none is. */
function confidenceOf(pieces: readonly Piece[]): number | undefined {
  if (pieces.some(({ block }) => isDescribed(block))) return DESCRIBED;
  let [sum, length] = [0, 0];
  for (const { block, start, end } of pieces) {
    if (block.confidence === undefined) continue;
    sum += block.confidence * (end - start);
    length += end - start;
  }
  return length === 0 ? undefined : Math.round(sum / length);
}

function leadingBreaks(text: string, start: number, end: number): number {
  let breaks = 0;
  while (start + breaks < end && text.charAt(start + breaks) === '\n') breaks += 1;
  return breaks;
}

/**
 * The heading path shared by all text of a chunk. For a chunk of headings alone: the path of the last
 * heading, including that heading.
 */
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

const PATH_SEPARATOR = ' › ';

/** A document with what people call it. */
interface NamedDocument extends DocumentContent {
  /** Empty: none. */
  readonly name: string;
}

/**
 * The context put above a chunk for embedding and for the model: the document's name and title, the headings above the
 * chunk's first block, and the header row of a table that began in an earlier chunk. A heading at the start
 * of the chunk, or a title that equals the first heading, is not repeated.
 *
 * @param maxTokens a longer header is truncated at its end, where the last columns of the table row are
 */
function headerOf(
  document: NamedDocument,
  first: Piece,
  maxTokens: number,
  countTokens: CountTokens,
): string {
  const { block, start } = first;
  const isContinuedTable = block.headerEnd !== undefined && start >= block.headerEnd;
  const path = block.headingPath;
  const isBeginning = block.kind === 'heading' && start === block.start;
  const isTitleBelow =
    path[0] === document.title ||
    (isBeginning && shortTitle(document.text.slice(start, block.end)) === document.title);
  const isNamedByTitle = fold(document.title ?? '').includes(fold(document.name));
  const lines = [
    isNamedByTitle ? '' : shortTitle(document.name),
    isTitleBelow ? '' : (document.title ?? ''),
    path.join(PATH_SEPARATOR),
    isContinuedTable ? document.text.slice(block.start, block.headerEnd) : '',
  ];
  const header = lines.filter((line) => line !== '').join('\n');
  return shorten(header, maxTokens, countTokens);
}

function shorten(text: string, maxTokens: number, countTokens: CountTokens): string {
  let short = text.length > maxTokens * 16 ? text.slice(0, safeCut(text, 0, maxTokens * 16)) : text;
  for (let tokens = countTokens(short); tokens > maxTokens && short.length > 1; tokens = countTokens(short)) {
    const wanted = Math.trunc(short.length * Math.min(0.95, maxTokens / tokens));
    if (wanted < 1) return '';
    const cut = safeCut(short, 0, wanted);
    short = cut < short.length ? short.slice(0, cut) : '';
  }
  return short.trimEnd();
}

/** For comparing names and titles: letters and digits in lower case. */
function fold(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The end of a line of a table of contents or an index, from its last character: page numbers, then a leader or a comma. */
const REVERSED_END = /^\d+(?: ?[,–-]\d+)*\s*(?:…|\.{3}|(?: \.){3}|,)/;
const MIN_LINES = 5;
/** Longer lines are prose. */
const MAX_LINE = 300;

/**
 * Whether the text of a chunk is part of a table of contents or of an index: at least half of its lines, and five or more
 * of them, end with page numbers. Such a chunk contains the words of many questions and answers none.
 */
export function isListing(text: string): boolean {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  if (lines.length < MIN_LINES) return false;
  const entries = lines.filter((line) => line.length <= MAX_LINE && isEntry(line));
  return entries.length * 2 >= lines.length;
}

/** Whether a line is words, then a leader or a comma, then page numbers. */
function isEntry(line: string): boolean {
  if (!/\d$/.test(line)) return false;
  const end = REVERSED_END.exec(Array.from(line).toReversed().join(''))?.[0];
  return end !== undefined && /\p{L}/u.test(line.slice(0, -end.length));
}
