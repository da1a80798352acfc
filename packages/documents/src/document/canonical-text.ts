import { safeCut } from './safe-cut.js';

/** CR LF, CR and the other characters that Unicode defines as mandatory breaks (UAX #14: BK, CR, NL). */
const LINE_BREAKS = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/** Control characters (Unicode category Cc) except tab and LF. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/**
 * Normalizes a text: well-formed Unicode, LF as the only line break, and no other control characters except tabs.
 * Call it with a whole block, so that no surrogate pair is split.
 */
export function canonicalText(text: string): string {
  return text.toWellFormed().replace(LINE_BREAKS, '\n').replace(CONTROLS, '');
}

/** Canonical text on one line, with runs of white space collapsed. For titles, headings and table cells. */
export function singleLine(text: string): string {
  return canonicalText(text).replace(/\s+/g, ' ').trim();
}

/**
 * UTF-16 code units. Each chunk carries the titles above it: a heading of 1 MB would be stored many times.
 */
const MAX_TITLE_CHARACTERS = 300;

/**
 * Truncates a title or heading to 300 characters, with an ellipsis, for use in paths and as a document title.
 *
 * @param line a single line, see {@link singleLine}
 */
export function shortTitle(line: string): string {
  if (line.length <= MAX_TITLE_CHARACTERS) return line;
  return `${line.slice(0, safeCut(line, 0, MAX_TITLE_CHARACTERS - 1)).trimEnd()}…`;
}

/** Removes blank lines at both ends and keeps the indentation of the first line, for code. */
export function trimBlankLines(text: string): string {
  let start = 0;
  for (let index = 0; index < text.length && /\s/.test(text.charAt(index)); index += 1) {
    if (text.charAt(index) === '\n') start = index + 1;
    if (index === text.length - 1) return '';
  }
  return text.slice(start).trimEnd();
}
