import type { SQLOutputValue } from 'node:sqlite';

/** A row as `node:sqlite` returns it. */
export type SqlRow = Record<string, SQLOutputValue>;

/** The column's integer or real. @throws TypeError when it is something else, as in a damaged file */
export function numberIn(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`column ${column} is not a number`);
  return value;
}

/** The column's text. @throws TypeError when it is something else */
export function textIn(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`column ${column} is not text`);
  return value;
}

/** The column's bytes. @throws TypeError when it is something else */
export function bytesIn(row: SqlRow, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw new TypeError(`column ${column} is not a blob`);
  return value;
}

/** What `read` makes of the column, or `null` where it is NULL. */
export function nullableIn<T>(
  row: SqlRow,
  column: string,
  read: (row: SqlRow, column: string) => T,
): T | null {
  return row[column] === null ? null : read(row, column);
}
