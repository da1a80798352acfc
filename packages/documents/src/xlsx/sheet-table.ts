import type { DocumentBuilder, TableWriter } from '../document/document-builder.js';

/** A larger gap between rows separates two tables. */
const MAX_GAP_ROWS = 1;
/** More single-cell rows above a table are a list and not its title. */
const MAX_TITLE_ROWS = 3;

/**
 * Groups the rows of a sheet into tables. Single-cell rows above a table are its title, so that the first row
 * of the table is the one with the column names.
 */
export class SheetTables {
  private table: TableWriter | undefined;
  private titles: (readonly string[])[] = [];
  private previous = 0;

  constructor(private readonly builder: DocumentBuilder) {}

  row(number: number, cells: readonly string[]): void {
    if (number > this.previous + MAX_GAP_ROWS) this.close();
    this.previous = number;
    const isTitle = cells.filter((text) => text.trim() !== '').length === 1;
    if (this.table === undefined && isTitle && this.titles.length <= MAX_TITLE_ROWS) {
      this.titles.push(cells);
      return;
    }
    if (this.table === undefined) this.open(cells);
    this.table?.row(cells);
  }

  /** Ends the current table. */
  close(): void {
    if (this.table === undefined && this.titles.length > 0) this.openList();
    this.table?.close();
    this.table = undefined;
  }

  private open(first: readonly string[]): void {
    const isHeader = isHeaderRow(first);
    if (isHeader && this.titles.length <= MAX_TITLE_ROWS) {
      for (const title of this.titles) this.builder.block('paragraph', title.join(' '));
      this.titles = [];
      this.table = this.builder.openTable({ headerRow: true });
    } else this.openList();
  }

  /** Opens a table without a header row that includes the rows taken for its title. */
  private openList(): void {
    this.table = this.builder.openTable({ headerRow: false });
    for (const cells of this.titles) this.table.row(cells);
    this.titles = [];
  }
}

/**
 * Whether a row has column names: two or more cells, at least one of them a word, and no numbers except
 * years.
 */
function isHeaderRow(cells: readonly string[]): boolean {
  const filled = cells.map((text) => text.trim()).filter((text) => text !== '');
  const isName = (text: string): boolean => Number.isNaN(Number(text)) && /\p{L}|^#$/u.test(text);
  const isYear = (text: string): boolean => /^(?:19|20)\d\d$/.test(text);
  return (
    filled.length > 1 &&
    filled.some(isName) &&
    filled.every((text) => isName(text) || isYear(text) || !/\d/.test(text))
  );
}
