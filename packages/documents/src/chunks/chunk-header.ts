import type { DocumentContent } from '../document/document.js';
import type { Piece } from './block-pieces.js';
import type { CountTokens } from './count-tokens.js';
import { shortTitle } from '../document/canonical-text.js';
import { safeCut } from '../document/safe-cut.js';

const PATH_SEPARATOR = ' › ';

/** A document with what people call it. */
export interface NamedDocument extends DocumentContent {
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
export function headerOf(
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
