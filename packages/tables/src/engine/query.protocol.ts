/** A value of a result. */
export type SqlValue = number | string | null;

/** A view of one table, which a statement may read instead of the tables. */
export interface TableView {
  readonly name: string;
  /** The table: `d1.t1` is `t1` of the first file. */
  readonly table: string;
  /** `SELECT … FROM d1.t1`. The names in it must be quoted. */
  readonly statement: string;
}

/** What the engine asks its process. One statement is answered at a time. */
export interface QueryRequest {
  readonly statement: string;
  readonly params: readonly SqlValue[];
  readonly limit: number;
  /** With views, the statement may read nothing else. */
  readonly views: readonly TableView[];
}

export interface QueryResult {
  readonly columns: readonly string[];
  /** At most `limit` rows. */
  readonly rows: readonly (readonly SqlValue[])[];
  /** There are more rows than `limit`. */
  readonly hasMore: boolean;
  /** The views that the statement reads, and their columns: `t1`, `t1.amount`. Empty without views. */
  readonly reads: readonly string[];
}

/**
 * Why a statement has no result: it is not a single `SELECT` of the tables, SQLite refuses it, it takes too long, it
 * needs too much memory, its result is too large, or the file or the process is broken.
 */
export type QueryErrorCode = 'NOT_ALLOWED' | 'INVALID' | 'TIMEOUT' | 'MEMORY' | 'TOO_LARGE' | 'UNREADABLE';

/** `ready` is the first message of a process. */
export type QueryReply =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'result' } & QueryResult)
  | { readonly kind: 'failure'; readonly code: QueryErrorCode; readonly message: string };
