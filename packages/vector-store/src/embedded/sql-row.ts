import type { SQLOutputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { DamagedStorageError } from './engine.protocol.js';
import type { PointPayload } from '../vector-store.port.js';

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

/** Checksum (CRC-32) of a row of `points`. The check of the database's structure does not see altered texts. */
export function payloadChecksum(point: PointPayload): number {
  const { id, ordinal, page, confidence, headingPath, anchor, start, end, contentHash } = point;
  // A column of text is read as it was stored: as UTF-8, in which unpaired surrogates are replaced.
  const stored = [anchor?.toWellFormed() ?? null, contentHash.toWellFormed()];
  // Rows that earlier versions wrote have no confidence.
  const ofOcr = confidence === null ? [] : [confidence];
  const fields = JSON.stringify([id, ordinal, page, headingPath, stored[0], start, end, stored[1], ...ofOcr]);
  return crc32(point.text, crc32(point.header, crc32(fields)));
}

/** Checksum of a row of `vectors`. */
export function vectorsChecksum(dense: Uint8Array | null, lexical: Uint8Array): number {
  return crc32(lexical, dense === null ? 0 : crc32(dense));
}

/**
 * @param stored null for a row that an earlier version wrote
 * @throws DamagedStorageError
 */
export function assertChecksum(stored: number | null, actual: number): void {
  if (stored !== null && stored !== actual)
    throw new DamagedStorageError('a row has another checksum than when it was written');
}

/** Encodes a UUID as 16 bytes. */
export function uuidToBytes(uuid: string): Uint8Array {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

/** Decodes 16 bytes to a UUID in lower case. */
export function uuidFromBytes(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
