import {
  cellValue,
  ColumnEvidence,
  type ColumnFormat,
  localeOf,
  type TableLocale,
  withHeader,
} from './column-evidence.js';
import { recordLists } from './json-records.js';
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
  /** Whether the lines of the text are values with their paths: those of a JSON file. */
  readonly hasRecords?: boolean;
  /** The mark between cells of a CSV file. Where it is a comma, the decimal mark is a point. */
  readonly delimiter?: string | undefined;
}

const SPREADSHEETS: ReadonlySet<string> = new Set([
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.spreadsheet',
]);

/** @param metadata of the document */
export function tableOptions(
  fileType: string,
  { delimiter }: Readonly<Record<string, unknown>>,
): TypedTableOptions {
  return {
    isSpreadsheet: SPREADSHEETS.has(fileType),
    hasRecords: fileType === 'application/json',
    delimiter: typeof delimiter === 'string' ? delimiter : undefined,
  };
}

const MIN_ROWS = 5;
const MAX_COLUMNS = 500;
const MAX_TABLES = 1_000;
const MAX_NAME_CHARACTERS = 120;

/** The tables of a document. The rows of a table must be read before the next table. */
export function* typedTables(document: TableDocument, options: TypedTableOptions): Generator<TypedTable> {
  const file: TableLocale = { decimal: decimalOf(document.language, options.delimiter), order: null };
  if (options.hasRecords === true) yield* recordTables(document);
  let count = 0;
  for (const [index, block] of document.blocks.entries()) {
    if (block.kind !== 'table') continue;
    const cells = document.tables?.get(index);
    // The values of a chart are in the sheet, too.
    const isChart = options.isSpreadsheet && options.delimiter === undefined && cells === undefined;
    if (isChart) continue;
    const minRows = options.isSpreadsheet ? 1 : MIN_ROWS;
    let inBlock = 0;
    for (const table of readTables(document.text, block, cells, { file, minRows })) {
      if (count >= MAX_TABLES) return;
      count += 1;
      inBlock += 1;
      yield {
        // The title above belongs to the first of several tables beside each other.
        name:
          (inBlock === 1 ? titleOf(document, index, options) : null) ??
          block.headingPath.at(-1) ??
          `Table ${count}`,
        ...(options.isSpreadsheet && block.headingPath[0] !== undefined
          ? { sheet: block.headingPath[0] }
          : {}),
        ...(block.page === undefined ? {} : { page: block.page }),
        ...table,
      };
    }
  }
}

/** Numbers of JSON have a decimal point. */
function* recordTables(document: TableDocument): Generator<TypedTable> {
  const options: ReadOptions = { file: { decimal: '.', order: null }, minRows: MIN_ROWS };
  for (const [index, { path, rows }] of recordLists(document).entries()) {
    const scan = scanRows(rows);
    const columns = [...(scan?.first.cells.keys() ?? [])];
    const table = scan === null ? null : readTable(() => rows, scan, columns, true, options);
    if (table !== null && index < MAX_TABLES) yield { name: path === '' ? 'Table 1' : path, ...table };
  }
}

function decimalOf(language: string | null, delimiter: string | undefined): TableLocale['decimal'] {
  if (delimiter === ',') return '.';
  if (language === null) return null;
  try {
    const parts = new Intl.NumberFormat(language).formatToParts(1.5);
    return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
  } catch {
    return null;
  }
}

function titleOf(
  { blocks, text }: TableDocument,
  index: number,
  { isSpreadsheet }: TypedTableOptions,
): string | null {
  const above = blocks[index - 1];
  const isTitle = above?.kind === 'caption' || (isSpreadsheet && above?.kind === 'paragraph');
  if (above === undefined || !isTitle) return null;
  const title = text.slice(above.start, above.end);
  return title.length <= MAX_NAME_CHARACTERS && !title.includes('\n') ? title : null;
}

interface ReadOptions {
  readonly file: TableLocale;
  readonly minRows: number;
}

/** The tables of a block: several beside each other have empty columns between them. */
function* readTables(
  text: string,
  block: TableBlock,
  cells: TableCells | undefined,
  options: ReadOptions,
): Generator<Pick<TypedTable, 'columns' | 'rows'>> {
  const rows = (): Generator<SourceRow> => sourceRows(text, block, cells);
  const scan = scanRows(rows());
  if (scan === null) return;
  const groups = columnGroups(scan);
  const isDivided = groups.length > 1 && groups.every(({ length }) => length > 1);
  if (!isDivided) {
    const table = readTable(rows, scan, groups.flat(), block.headerEnd !== undefined, options);
    if (table !== null) yield table;
    return;
  }
  for (const [index, columns] of groups.entries()) {
    const part = (): Generator<SourceRow> => partOf(rows(), columns);
    const partScan = scanRows(part());
    if (partScan === null) continue;
    const isMarked = block.headerEnd !== undefined && index === 0;
    const table = readTable(part, partScan, [...columns.keys()], isMarked, options);
    if (table !== null) yield table;
  }
}

interface TableScan {
  readonly evidence: readonly ColumnEvidence[];
  readonly first: SourceRow;
  readonly second: SourceRow | undefined;
  readonly count: number;
}

/** Examines the cells of all rows except the first. @returns null without rows, and for more columns than the limit */
function scanRows(rows: Iterable<SourceRow>): TableScan | null {
  const evidence: ColumnEvidence[] = [];
  let first: SourceRow | undefined;
  let second: SourceRow | undefined;
  let count = 0;
  for (const row of rows) {
    if (row.cells.length > MAX_COLUMNS) return null;
    while (evidence.length < row.cells.length) evidence.push(new ColumnEvidence());
    count += 1;
    if (count === 2) second = row;
    if (first === undefined) first = row;
    else addRow(row, evidence);
  }
  return first === undefined ? null : { evidence, first, second, count };
}

/** The columns with text, in groups of columns beside each other. */
function columnGroups({ evidence, first }: TableScan): number[][] {
  const groups: number[][] = [];
  for (const [column, { filled }] of evidence.entries()) {
    if (filled === 0 && (first.cells[column] ?? '') === '') continue;
    const last = groups.at(-1);
    if (last?.at(-1) === column - 1) last.push(column);
    else groups.push([column]);
  }
  return groups;
}

/** The rows of a group of columns that have text there. */
function* partOf(rows: Iterable<SourceRow>, columns: readonly number[]): Generator<SourceRow> {
  for (const { cells, contents, ...place } of rows) {
    const own = columns.map((column) => cells[column] ?? '');
    if (own.some((text) => text !== ''))
      yield { ...place, cells: own, contents: contents && columns.map((column) => contents[column]) };
  }
}

/** @param columns that the table has @returns null for fewer rows than the least number */
function readTable(
  rows: () => Iterable<SourceRow>,
  { evidence, first, second, count }: TableScan,
  columns: readonly number[],
  isMarked: boolean,
  { file, minRows }: ReadOptions,
): Pick<TypedTable, 'columns' | 'rows'> | null {
  let formats = formatsOf(evidence, file);
  const hasHeader = isHeader(first, second, formats, isMarked);
  if (!hasHeader) {
    addRow(first, evidence);
    formats = formatsOf(evidence, file);
  }
  const dataRows = hasHeader ? count - 1 : count;
  if (dataRows < minRows) return null;
  const names = columnNames(columns.map((column) => (hasHeader ? (first.cells[column] ?? '') : '')));
  const shown = columns.map((column, index): ShownColumn => {
    const format = withHeader(formats[column] ?? new ColumnEvidence().format(file), names[index] ?? '');
    return { column, format, filledShare: (evidence[column]?.filled ?? 0) / (dataRows - 1) };
  });
  return {
    columns: shown.map(
      ({ format: { decimal: _decimal, order: _order, areYears: _years, ...format } }, index) => ({
        name: names[index] ?? '',
        ...format,
      }),
    ),
    rows: { [Symbol.iterator]: () => typedRows(rows(), hasHeader, shown) },
  };
}

interface ShownColumn {
  /** In the source. */
  readonly column: number;
  readonly format: ColumnFormat;
  readonly filledShare: number;
}

function addRow({ cells, contents }: SourceRow, evidence: readonly ColumnEvidence[]): void {
  for (const [column, text] of cells.entries()) evidence[column]?.add(text, contents?.[column]);
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
  const isNewYear = (text: string, column: number): boolean =>
    isYear(text) && !isYear(second?.cells[column] ?? '');
  const typed = formats.flatMap((format, column) => {
    const text = cells[column] ?? '';
    if (format.type === 'text' || text === '') return [];
    return [{ column, text, reads: cellValue(text, contents?.[column], format) !== null }];
  });
  if (second === undefined) return isMarked;
  if (typed.length === 0)
    return isMarked || cells.filter((text, column) => isNewYear(text, column)).length > 1;
  const reading = typed.filter(({ reads }) => reads);
  if (reading.length === 0) return true;
  const areYears = reading.length > 1 && reading.every(({ text, column }) => isNewYear(text, column));
  return areYears || (isMarked && reading.length * 2 < typed.length);
}

function isYear(text: string): boolean {
  return /^(?:1[89]|2[01])\d\d$/.test(text);
}

/** Unique names. Columns without one are numbered. */
function columnNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((text, column) => {
    const name = text.trim() === '' ? `Column ${column + 1}` : text.trim();
    let unique = name;
    for (let number = 2; taken.has(unique); number += 1) unique = `${name} ${number}`;
    taken.add(unique);
    return unique;
  });
}

function* typedRows(
  rows: Iterable<SourceRow>,
  hasHeader: boolean,
  columns: readonly ShownColumn[],
): Generator<TableRow> {
  const totals = new TotalRows(
    columns.map(({ format }) => format.type),
    columns.map(({ filledShare }) => filledShare),
  );
  let isHeader = hasHeader;
  for (const { cells: texts, contents, from, to, number } of rows) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    const cells = columns.map(({ column, format }) => {
      const text = texts[column] ?? '';
      return { value: cellValue(text, contents?.[column], format), text };
    });
    yield { cells, isTotal: totals.next(cells), from, to, number };
  }
}
