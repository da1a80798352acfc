import type { DocumentBuilder, TableWriter } from '../document/document-builder.js';
import { joinHeader } from '../office/merged-cells.js';
import type { MergedRanges } from './merged-ranges.js';
import type { SheetRow } from './sheet-reader.js';

/** More blank rows always separate two tables. */
const MAX_BLANK_ROWS = 2;
/** More single-cell rows above a table are a list and not its title. */
const MAX_TITLE_ROWS = 3;

/**
 * Groups the rows of a sheet into tables. Single-cell rows above a table are its title. The first row with several cells is
 * the header, if it has names; further rows of the header are joined with it.
 */
export class SheetTables {
  private table: TableWriter | undefined;
  /** Rows of the header of the next table. */
  private head: SheetRow[] = [];
  /** The columns of the open table, if it has a header. */
  private columns: { readonly first: number; readonly last: number; readonly count: number } | undefined;
  private hasData = false;
  /** Rows with a single cell that wait for the next row: a title, or a part of the open table. */
  private waiting: SheetRow[] = [];
  private isAfterGap = false;
  private previous = 0;

  constructor(
    private readonly builder: DocumentBuilder,
    private readonly merges: MergedRanges,
  ) {}

  row(row: SheetRow): void {
    const blankRows = row.number - this.previous - 1;
    this.previous = row.number;
    if (this.head.length > 0) {
      if (continuesHeader(this.head, row, this.merges)) {
        this.head.push(row);
        return;
      }
      this.openWithHead();
    }
    if (this.table !== undefined && blankRows > 0) {
      this.isAfterGap = true;
      if (blankRows > MAX_BLANK_ROWS || this.columns === undefined) this.endTable();
    }
    const waits = (this.table === undefined || this.isAfterGap) && filledCells(row) === 1;
    if (waits && this.waiting.length <= MAX_TITLE_ROWS) {
      this.waiting.push(row);
      return;
    }
    if (this.table !== undefined && this.isAfterGap && !this.continuesTable(row)) this.endTable();
    if (this.table === undefined) this.open(row);
    else this.addToTable([...this.waiting.splice(0), row]);
  }

  /** Ends the current table. */
  close(): void {
    if (this.head.length > 0) this.openWithHead();
    if (this.table !== undefined) this.endTable();
    if (this.waiting.length > 0) this.openList();
    this.endTable();
  }

  private endTable(): void {
    this.table?.close();
    this.table = undefined;
    this.columns = undefined;
    this.isAfterGap = false;
  }

  /**
   * Whether a row after blank rows belongs to the open table: it is in the columns of the header and no header itself. The
   * first row of data may look like a header.
   */
  private continuesTable(row: SheetRow): boolean {
    const { columns } = this;
    if (columns === undefined || this.waiting.length > MAX_TITLE_ROWS) return false;
    const isInside = row.cells.every(
      (text, column) => text.trim() === '' || (column >= columns.first && column <= columns.last),
    );
    if (!isInside) return false;
    return (
      !isHeaderRow(row) || (!this.hasData && this.waiting.length === 0 && filledCells(row) <= columns.count)
    );
  }

  private addToTable(rows: readonly SheetRow[]): void {
    for (const row of rows) this.table?.row(row.cells, row);
    this.hasData = true;
    this.isAfterGap = false;
  }

  private open(first: SheetRow): void {
    const startsHeader = isHeaderRow(first) || isGroupRow(first, this.merges);
    if (startsHeader && this.waiting.length <= MAX_TITLE_ROWS) this.head.push(first);
    else {
      this.openList();
      this.addToTable([first]);
    }
  }

  /** Opens a table with the collected header. */
  private openWithHead(): void {
    const head = this.head.splice(0);
    const [first] = head;
    if (first === undefined) return;
    if (head.length === 1 && !isHeaderRow(first)) {
      this.openList();
      this.addToTable(head);
      return;
    }
    for (const { cells } of this.waiting.splice(0)) this.builder.block('paragraph', cells.join(' '));
    const names = joinHeader(head.map(({ cells }) => cells));
    this.table = this.builder.openTable({ headerRow: true });
    this.table.row(names, { number: head.at(-1)?.number ?? first.number, contents: [] });
    this.hasData = false;
    this.columns = {
      first: names.findIndex((name) => name !== ''),
      last: names.length - 1,
      count: names.filter((name) => name !== '').length,
    };
  }

  /** Opens a table without a header row that includes the rows taken for its title. */
  private openList(): void {
    this.table = this.builder.openTable({ headerRow: false });
    this.columns = undefined;
    this.addToTable(this.waiting.splice(0));
  }
}

const MAX_HEADER_ROWS = 5;

/** Whether a cell has no text. */
function isBlank(text: string | undefined): boolean {
  return (text ?? '').trim() === '';
}

function filledCells({ cells }: SheetRow): number {
  return cells.reduce((count, text) => count + (isBlank(text) ? 0 : 1), 0);
}

/**
 * Whether a row has column names: two or more cells, at least one of them a word, and no numbers except years. Dates are
 * column names if there are several.
 */
function isHeaderRow(row: SheetRow): boolean {
  return (
    filledCells(row) > 1 && row.cells.some((text, column) => isName(row, text, column)) && hasOnlyNames(row)
  );
}

/**
 * Whether a row names groups of columns: cells that are merged with cells to their right. Such a row is a part of a header
 * only if {@link continuesHeader} holds for the next row.
 */
function isGroupRow(row: SheetRow, merges: MergedRanges): boolean {
  return filledCells(row) > 1 && merges.groupsIn(row.number).length > 0 && hasOnlyNames(row);
}

/**
 * Whether a row is the next row of a header: the row above names groups of columns, and this one only has the names of
 * columns in the groups. Other columns have their name in one of the rows, or in a cell that is merged over both.
 */
function continuesHeader(head: readonly SheetRow[], row: SheetRow, merges: MergedRanges): boolean {
  const last = head.at(-1);
  if (last === undefined || head.length >= MAX_HEADER_ROWS || row.number !== last.number + 1) return false;
  const groups = merges.groupsIn(last.number);
  if (groups.length === 0 || !hasOnlyNames(row)) return false;
  let named = 0;
  for (const [column, text] of row.cells.entries()) {
    if (isBlank(text) || merges.continuesAbove(row.number, column)) continue;
    const isInGroup = groups.some(({ left, right }) => left <= column && column <= right);
    if (!isInGroup && !isBlank(last.cells[column])) return false;
    if (isInGroup) named += 1;
  }
  return named > 0;
}

function hasOnlyNames(row: SheetRow): boolean {
  const dates = row.kinds.filter((kind) => kind === 'date').length;
  return row.cells.every((text, column) => {
    if (isBlank(text) || /^(?:19|20)\d\d$/.test(text.trim())) return true;
    const kind = row.kinds[column];
    if (kind === 'date') return dates > 1;
    return kind === undefined && (isName(row, text, column) || !/\d/.test(text));
  });
}

function isName({ kinds }: SheetRow, text: string, column: number): boolean {
  return kinds[column] === undefined && Number.isNaN(Number(text)) && /\p{L}|^\s*#\s*$/u.test(text);
}
