import { safeCut } from './safe-cut.js';

/** CR LF, CR and the other characters that Unicode counts as line or paragraph ends (UAX #14, BK, CR, NL). */
const LINE_BREAKS = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/** The rules of the canonical text, applied to a whole block: what half a surrogate pair is depends on its neighbour. */
export function canonicalText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').replace(LINE_BREAKS, '\n');
}

/** Canonical text on one line, runs of white space as one space: for titles, headings and table cells. */
export function singleLine(text: string): string {
  return canonicalText(text).replace(/\s+/g, ' ').trim();
}

/**
 * UTF-16 units of a title: more than any reader takes for one. Each chunk that is under a heading carries its title, so
 * that without a bound a heading of a megabyte would be written down a thousand times.
 */
const MAX_TITLE_CHARACTERS = 300;

/** What a heading, or the name of a document, is called by elsewhere: its beginning, where it is long. @param line one */
export function shortTitle(line: string): string {
  if (line.length <= MAX_TITLE_CHARACTERS) return line;
  return `${line.slice(0, safeCut(line, 0, MAX_TITLE_CHARACTERS - 1)).trimEnd()}…`;
}

/** Without blank lines at its ends; the indentation of the first line stays, as in code. */
export function trimBlankLines(text: string): string {
  let start = 0;
  for (let index = 0; index < text.length && /\s/.test(text.charAt(index)); index += 1) {
    if (text.charAt(index) === '\n') start = index + 1;
    if (index === text.length - 1) return '';
  }
  return text.slice(start).trimEnd();
}
