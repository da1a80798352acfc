export type { TableCells, TableDocument } from './table-source.js';
export { tableOptions, typedTables, type TypedTableOptions } from './typed-tables.js';
export { tablesFile, writeTables } from './write-tables.js';
