export type ColumnType = 'number' | 'money' | 'percent' | 'date' | 'time' | 'text';

export interface TableColumn {
  /** From the header. Rows of a header are joined: `2024 / Q1`. Unique in the table. */
  readonly name: string;
  readonly type: ColumnType;
  /** ISO 4217 code of all cells, or their symbol if it belongs to several currencies. Null if mixed, or not money. */
  readonly currency: string | null;
  /** Money of several currencies, which must not be added. */
  readonly mixedCurrencies?: boolean;
  /** The unit after all numbers of the column, such as `kg` or `Mio.`. */
  readonly unit?: string;
  /** Cells with digits that have no value, because they do not read as the type of the column. */
  readonly unreadCells?: number;
}

export interface TableCell {
  /**
   * A number for `number`, `money` and `percent` (12.5 for `12.5 %`); `YYYY-MM-DD`, or `YYYY-MM-DD HH:MM:SS`, for `date`;
   * `HH:MM:SS` for `time`, with the fractions of a lap time; the text for `text`. Null for a cell without text, and for one that does not read as the type.
   */
  readonly value: number | string | null;
  /** As the document shows it. */
  readonly text: string;
}

export interface TableRow {
  /** One cell for each column. */
  readonly cells: readonly TableCell[];
  /** The sum or the average of rows above. */
  readonly isTotal: boolean;
  /** Offsets of the row in the canonical text. */
  readonly from: number;
  readonly to: number;
  /** Number of the row in the sheet or the table, from 1. A header counts. */
  readonly number: number;
}

export interface TypedTable {
  /** The title above the table, the name of the sheet, or `Table 2`. */
  readonly name: string;
  readonly sheet?: string;
  /** From 1. */
  readonly page?: number;
  readonly columns: readonly TableColumn[];
  /** Read once, in order: a large table is not in memory. */
  readonly rows: Iterable<TableRow>;
}
