export type { TableCells, TableDocument } from './table-source.js';
export { typedTables, type TypedTableOptions } from './typed-tables.js';
export { writeTables } from './write-tables.js';
