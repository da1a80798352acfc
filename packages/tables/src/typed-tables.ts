import {
  cellValue,
  ColumnEvidence,
  type ColumnFormat,
  localeOf,
  type TableLocale,
  withHeader,
} from './column-evidence.js';
import {
  sourceRows,
  type SourceRow,
  type TableBlock,
  type TableCells,
  type TableDocument,
} from './table-source.js';
import { TotalRows } from './total-rows.js';
import type { TableRow, TypedTable } from './typed-table.js';

export interface TypedTableOptions {
  /** Whether each table counts, and headings are sheets. Other documents have tables of at least five rows. */
  readonly isSpreadsheet: boolean;
  /** The mark between cells of a CSV file. Where it is a semicolon, the comma is a decimal mark. */
  readonly delimiter?: string | undefined;
}

const MIN_ROWS = 5;
const MAX_COLUMNS = 500;
const MAX_TABLES = 1_000;
const MAX_NAME_CHARACTERS = 120;

/** The tables of a document. The rows of a table must be read before the next table. */
export function* typedTables(document: TableDocument, options: TypedTableOptions): Generator<TypedTable> {
  const file: TableLocale = { decimal: decimalOf(document.language, options.delimiter), order: null };
  let count = 0;
  for (const [index, block] of document.blocks.entries()) {
    if (block.kind !== 'table' || count >= MAX_TABLES) continue;
    const table = readTable(
      document,
      block,
      document.tables?.get(index),
      file,
      options.isSpreadsheet ? 1 : MIN_ROWS,
    );
    if (table === null) continue;
    count += 1;
    yield {
      name: nameOf(document, index, count),
      ...(options.isSpreadsheet && block.headingPath[0] !== undefined ? { sheet: block.headingPath[0] } : {}),
      ...(block.page === undefined ? {} : { page: block.page }),
      ...table,
    };
  }
}

function decimalOf(language: string | null, delimiter: string | undefined): TableLocale['decimal'] {
  if (delimiter === ';') return ',';
  if (delimiter !== undefined) return '.';
  if (language === null) return null;
  try {
    const parts = new Intl.NumberFormat(language).formatToParts(1.5);
    return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
  } catch {
    return null;
  }
}

/** The title above the table, the innermost heading, or its number. */
function nameOf({ blocks, text }: TableDocument, index: number, count: number): string {
  const above = blocks[index - 1];
  const path = blocks[index]?.headingPath ?? [];
  const isTitle = above !== undefined && (above.kind === 'paragraph' || above.kind === 'caption');
  const title = isTitle ? text.slice(above.start, above.end) : '';
  if (title !== '' && title.length <= MAX_NAME_CHARACTERS && !title.includes('\n')) return title;
  return path.at(-1) ?? `Table ${count}`;
}

/** @returns null for fewer rows, and for more columns than the limit */
function readTable(
  { text }: TableDocument,
  block: TableBlock,
  cells: TableCells | undefined,
  file: TableLocale,
  minRows: number,
): Pick<TypedTable, 'columns' | 'rows'> | null {
  const rows = (): Generator<SourceRow> => sourceRows(text, block, cells);
  const evidence: ColumnEvidence[] = [];
  const columnAt = (column: number): ColumnEvidence => (evidence[column] ??= new ColumnEvidence());
  let first: SourceRow | undefined;
  let second: SourceRow | undefined;
  let count = 0;
  for (const row of rows()) {
    if (row.cells.length > MAX_COLUMNS) return null;
    count += 1;
    if (count === 2) second = row;
    if (first === undefined) first = row;
    else addRow(row, columnAt);
  }
  if (first === undefined) return null;
  first.cells.forEach((_cell, column) => columnAt(column));
  let formats = formatsOf(evidence, file);
  const hasHeader = isHeader(first, second, formats, block.headerEnd !== undefined);
  if (!hasHeader) {
    addRow(first, columnAt);
    formats = formatsOf(evidence, file);
  }
  const dataRows = hasHeader ? count - 1 : count;
  if (dataRows < minRows || evidence.every(({ filled }) => filled === 0)) return null;
  const names = columnNames(hasHeader ? first.cells : [], evidence.length);
  const named = formats.map((format, column) => withHeader(format, names[column] ?? ''));
  return {
    columns: named.map(({ decimal: _decimal, order: _order, ...column }, index) => ({
      name: names[index] ?? '',
      ...column,
    })),
    rows: {
      [Symbol.iterator]: () =>
        typedRows(
          rows(),
          hasHeader,
          named,
          evidence.map(({ filled }) => filled / (dataRows - 1)),
        ),
    },
  };
}

function addRow({ cells, contents }: SourceRow, columnAt: (column: number) => ColumnEvidence): void {
  for (const [column, text] of cells.entries()) columnAt(column).add(text, contents?.[column]);
}

function formatsOf(evidence: readonly ColumnEvidence[], file: TableLocale): ColumnFormat[] {
  const locale = localeOf(evidence, file);
  return evidence.map((column) => column.format(locale));
}

/**
 * Whether the first row has the names of columns. The values below decide where they can: a name does not read as the
 * numbers or dates of its column, unless all names are years.
 *
 * @param isMarked whether the document says so
 */
function isHeader(
  { cells, contents }: SourceRow,
  second: SourceRow | undefined,
  formats: readonly ColumnFormat[],
  isMarked: boolean,
): boolean {
  const typed = formats.flatMap((format, column) => {
    const text = cells[column] ?? '';
    if (format.type === 'text' || text === '') return [];
    return [{ column, text, reads: cellValue(text, contents?.[column], format) !== null }];
  });
  if (typed.length === 0 || second === undefined) return isMarked;
  const reading = typed.filter(({ reads }) => reads);
  if (reading.length === 0) return true;
  const areYears =
    reading.length > 1 &&
    reading.every(({ text, column }) => isYear(text) && !isYear(second.cells[column] ?? ''));
  return areYears || (isMarked && reading.length * 2 < typed.length);
}

function isYear(text: string): boolean {
  return /^(?:1[89]|2[01])\d\d$/.test(text);
}

/** Unique names. Columns without one are numbered. */
function columnNames(header: readonly string[], count: number): string[] {
  const taken = new Set<string>();
  return Array.from({ length: count }, (_, column) => {
    const text = (header[column] ?? '').trim();
    const name = text === '' ? `Column ${column + 1}` : text;
    let unique = name;
    for (let number = 2; taken.has(unique); number += 1) unique = `${name} ${number}`;
    taken.add(unique);
    return unique;
  });
}

function* typedRows(
  rows: Generator<SourceRow>,
  hasHeader: boolean,
  formats: readonly ColumnFormat[],
  filledShares: readonly number[],
): Generator<TableRow> {
  const totals = new TotalRows(
    formats.map(({ type }) => type),
    filledShares,
  );
  let isFirst = true;
  for (const { cells: texts, contents, from, to, number } of rows) {
    if (isFirst && hasHeader) {
      isFirst = false;
      continue;
    }
    isFirst = false;
    const cells = formats.map((format, column) => {
      const text = texts[column] ?? '';
      return { value: cellValue(text, contents?.[column], format), text };
    });
    yield { cells, isTotal: totals.next(cells), from, to, number };
  }
}
