/** A value of a result. */
export type SqlValue = number | string | null;

/** What the engine asks its process. One statement is answered at a time. */
export interface QueryRequest {
  readonly statement: string;
  readonly params: readonly SqlValue[];
  readonly limit: number;
}

export interface QueryResult {
  readonly columns: readonly string[];
  /** At most `limit` rows. */
  readonly rows: readonly (readonly SqlValue[])[];
  /** There are more rows than `limit`. */
  readonly hasMore: boolean;
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
