export { cellTerm } from './cell-term.js';
export { TableQueryError } from './engine/query-process.js';
export type { QueryErrorCode, QueryResult, SqlValue, TableView } from './engine/query.protocol.js';
export { type QueryOptions, TableEngine, type TableEngineOptions } from './engine/table-engine.js';
export type { ColumnType, TableCell, TableColumn, TableRow, TypedTable } from './typed-table.js';
