import { stripVTControlCharacters } from 'node:util';

/** C0 except tab and line feed, DEL, C1 and bidirectional control characters. */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/**
 * Replaces control characters, so that escape sequences in a document cannot control the terminal: move the
 * cursor, rename the window or hide text.
 */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNSAFE, '\uFFFD');
}

/** Printable text on one line, truncated to `maxLength` characters. */
export function inOneLine(text: string, maxLength: number = Number.POSITIVE_INFINITY): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  if (line.length <= maxLength) return line;
  return `${[...line]
    .slice(0, maxLength - 1)
    .join('')
    .trimEnd()}…`;
}

/** Formats rows as aligned columns, separated by two spaces. */
export function toColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - widthOf(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Without the sequences that set a colour. */
function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length;
}
