import type { DocumentBuilder } from '../document/document-builder.js';
import type { DocumentParser } from '../document-parser.js';
import { readText } from '../text-decoding/decode-text.js';
import { detectDelimiter, isHeaderRow, linesAboveTable, separatorLine } from './csv-dialect.js';
import { csvRows } from './csv-rows.js';

/** Rows that are read ahead to find the header. */
const HEAD_ROWS = 100;

/**
 * Reads delimited text as one table; see {@link csvRows}. Ragged rows are kept. Lines above the header, such as the
 * title of a report, become a paragraph.
 */
export const csvParser: DocumentParser = {
  async parse(input, builder) {
    const text = await readText(input, builder);
    const separator = separatorLine(text);
    const delimiter = separator?.delimiter ?? detectDelimiter(text.slice(separator?.end ?? 0));
    const rows = csvRows(text, delimiter, separator?.end);
    const head = [...take(rows, HEAD_ROWS)];
    const above = linesAboveTable(head);
    builder.block(
      'paragraph',
      above.map((row) => row.filter((cell) => cell.trim() !== '').join(' | ')).join('\n'),
    );
    const count = addTable(builder, head.slice(above.length), rows);
    builder.setMetadata('delimiter', delimiter === '\t' ? 'tab' : delimiter).setMetadata('rows', count);
  },
};

/** @returns the number of rows without the header */
function addTable(builder: DocumentBuilder, head: readonly string[][], rest: Iterable<string[]>): number {
  const headerRow = head[0] !== undefined && isHeaderRow(head[0]);
  const table = builder.openTable({ headerRow });
  let count = headerRow ? -1 : 0;
  const add = (row: readonly string[]): void => {
    table.row(row);
    count += 1;
  };
  head.forEach(add);
  for (const row of rest) add(row);
  table.close();
  return count;
}

/** The first items. Unlike a `break`, this does not end the iterator. */
function* take<T>(items: Iterator<T>, count: number): Generator<T> {
  for (let index = 0; index < count; index += 1) {
    const { value, done } = items.next();
    if (done === true) return;
    yield value;
  }
}
