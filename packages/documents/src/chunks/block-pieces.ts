import type { Block } from '../document/document.js';
import type { CountTokens } from './count-tokens.js';
import { safeCut } from '../document/safe-cut.js';

/** A span of one block that is not divided further. */
export interface Piece {
  readonly block: Block;
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

/** Longer spans are divided without counting their tokens first. */
const MAX_COUNTED_CHARACTERS = 8000;

/** Terminal punctuation, closing quotes and white space. CJK punctuation needs no white space. */
const SENTENCE_END = /[.!?…]["'”’)\]]*\s+|[。！？｡]["'”’」』）\]]*\s*/g;
const LINE_END = /\n/g;

/**
 * Divides a block into pieces of at most `maxTokens`. A block that fits is one piece. Otherwise it is divided
 * at line breaks (table rows, list items), then at sentence ends, then between words, then between graphemes.
 * Lazy: a very large block is divided as the pieces are consumed.
 *
 * @param maxWholeTokens a block of up to this size stays whole; at least `maxTokens`
 */
export function* splitBlock(
  text: string,
  block: Block,
  maxTokens: number,
  countTokens: CountTokens,
  maxWholeTokens = maxTokens,
): Generator<Piece> {
  const whole = countedPiece(text, block, block.start, block.end, countTokens);
  if (whole !== null && whole.tokens <= Math.max(maxTokens, maxWholeTokens)) {
    yield whole;
    return;
  }
  for (const line of splitAfter(LINE_END, text, block.start, block.end)) {
    yield* divide(text, block, line, [SENTENCE_END], maxTokens, countTokens);
  }
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function* divide(
  text: string,
  block: Block,
  { start, end }: Range,
  [pattern, ...finer]: readonly RegExp[],
  maxTokens: number,
  countTokens: CountTokens,
): Generator<Piece> {
  const whole = countedPiece(text, block, start, end, countTokens);
  if (whole !== null && whole.tokens <= maxTokens) {
    if (text.slice(start, end).trim() !== '') yield whole;
  } else if (pattern !== undefined) {
    for (const part of splitAfter(pattern, text, start, end)) {
      yield* divide(text, block, part, finer, maxTokens, countTokens);
    }
  } else yield* cutToFit(text, block, { start, end }, maxTokens, countTokens);
}

/**
 * Divides a range from the front into the longest pieces that fit. The length of a piece is estimated from
 * the characters per token counted so far.
 */
export function* cutToFit(
  text: string,
  block: Block,
  range: Range,
  maxTokens: number,
  countTokens: CountTokens,
): Generator<Piece> {
  let start = range.start;
  let length = Math.min(range.end - start, maxTokens * 4);
  while (start < range.end) {
    const wanted = Math.min(range.end, start + Math.max(1, length));
    const end = wanted === range.end ? wanted : Math.min(range.end, safeCut(text, start, wanted));
    const tokens = countTokens(text.slice(start, end));
    const isSmallest = end - start <= 1 || length <= 1;
    if (tokens > maxTokens && !isSmallest) {
      length = Math.trunc((end - start) * Math.min(0.9, (maxTokens / tokens) * 0.95));
      continue;
    }
    if (text.slice(start, end).trim() !== '') yield { block, start, end, tokens };
    start = end;
    length = Math.max(length, Math.min(maxTokens * 4, length * 2));
  }
}

function countedPiece(
  text: string,
  block: Block,
  start: number,
  end: number,
  countTokens: CountTokens,
): Piece | null {
  if (end - start > MAX_COUNTED_CHARACTERS) return null;
  return { block, start, end, tokens: countTokens(text.slice(start, end)) };
}

/** Splits a range after each match of `endPattern`. The parts cover the whole range. */
function* splitAfter(endPattern: RegExp, text: string, start: number, end: number): Generator<Range> {
  let at = start;
  for (const match of text.slice(start, end).matchAll(endPattern)) {
    const next = start + match.index + match[0].length;
    yield { start: at, end: next };
    at = next;
  }
  if (at < end) yield { start: at, end };
}
