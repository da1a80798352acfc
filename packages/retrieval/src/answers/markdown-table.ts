/** Between the cells of a row in canonical text. */
const SEPARATOR = ' | ';
/** What has a meaning inside of a cell. A backslash first, so that it is not escaped twice. */
const MARKDOWN = /[\\|`*<[\]~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** A GFM table. Rows may have fewer cells than the header. Texts are shown as they are, in one line each. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = Math.max(header.length, ...rows.map(({ length }) => length));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const filled = (cells: readonly string[]): string[] =>
    Array.from({ length: width }, (_, at) => escapeMarkdown(cells[at] ?? ''));
  return [filled(header), Array.from({ length: width }, () => '---'), ...rows.map(filled)]
    .map(line)
    .join('\n');
}

/** A text of a document in one line, in which nothing is Markdown or a citation. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(MARKDOWN, String.raw`\$&`);
}

/** The cells of a row of canonical text. A row whose first cell is empty begins with the separator, without its space. */
export function cellsOf(row: string): string[] {
  return (row.startsWith('| ') ? ` ${row}` : row).split(SEPARATOR);
}
