import type { SQLOutputValue } from 'node:sqlite';
import { DamagedStorageError } from './engine-errors.js';

/** A row of `node:sqlite`. */
export type SqlRow = Record<string, SQLOutputValue>;

/**
 * Reads an INTEGER or REAL column.
 * @throws DamagedStorageError if the value has another type, as in a corrupt file
 */
export function numberIn(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new DamagedStorageError(`column ${column} is not a number`);
  return value;
}

/**
 * Reads a TEXT column.
 * @throws DamagedStorageError if the value has another type
 */
export function textIn(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new DamagedStorageError(`column ${column} is not text`);
  return value;
}

/**
 * Reads a BLOB column.
 * @throws DamagedStorageError if the value has another type
 */
export function bytesIn(row: SqlRow, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw new DamagedStorageError(`column ${column} is not a blob`);
  return value;
}

/** Reads a nullable column with `read`; `null` if it is NULL. */
export function nullableIn<T>(
  row: SqlRow,
  column: string,
  read: (row: SqlRow, column: string) => T,
): T | null {
  return row[column] === null ? null : read(row, column);
}
