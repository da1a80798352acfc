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

/** Without blank lines at its ends; the indentation of the first line stays, as in code. */
export function trimBlankLines(text: string): string {
  let start = 0;
  for (let index = 0; index < text.length && /\s/.test(text.charAt(index)); index += 1) {
    if (text.charAt(index) === '\n') start = index + 1;
    if (index === text.length - 1) return '';
  }
  return text.slice(start).trimEnd();
}
