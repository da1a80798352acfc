import { stripVTControlCharacters, styleText } from 'node:util';

/** Writes a line to standard output. */
export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Writes a line to standard error: errors, and information that is not part of the result. */
export function printToStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Shows progress in a line that the next call overwrites. No effect if standard error is not a terminal. */
export function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${line}`);
}

/** Ends the process without an error when the reader closes the pipe, as in `citewell ls | head`. */
export function stopOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}

type Style = Parameters<typeof styleText>[0];

/** Styles text for standard output. No effect in a pipe, or if `NO_COLOR` is set. */
export function style(format: Style, text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

/** Styles text for standard error. */
export function styleForStderr(format: Style, text: string): string {
  return styleText(format, text, { stream: process.stderr });
}

/** The colour of the status of a datasource. */
export function styleStatus(status: string): string {
  if (status === 'synched') return style('green', status);
  return status === 'error' || status === 'usage_limit_reached'
    ? style('red', status)
    : style('yellow', status);
}

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

/** The output stream of a command. */
export interface Output {
  write(text: string): unknown;
}

export const standardOutput: Output = { write: (text) => process.stdout.write(text) };
