import type {
  DatasourceScope,
  Hit,
  RunScope,
  RunSummary,
  SearchQuery,
  Space,
  TenantScope,
} from '../vector-store.port.js';
import type { PointBatch } from './point-batch.codec.js';
import {
  SpaceNotFoundError,
  type UnavailableReason,
  VectorStoreUnavailableError,
} from '../vector-store.errors.js';

/** Operations of the engine thread, each with its argument and result. */
export interface EngineOperations {
  ensureSpace: (argument: { space: Space }) => void;
  listSpaces: (argument: Record<string, never>) => Space[];
  upsert: (argument: { spaceName: string; batch: PointBatch }) => void;
  search: (argument: { spaceName: string; tenant: TenantScope; query: SearchQuery }) => Hit[];
  count: (argument: { spaceName: string; scope: RunScope }) => number;
  fetchVectors: (argument: {
    spaceName: string;
    scope: RunScope;
    contentHashes: readonly string[];
  }) => Map<string, Float32Array[]>;
  deleteRun: (argument: { scope: RunScope }) => void;
  deleteDatasource: (argument: { scope: DatasourceScope }) => void;
  scanRuns: (argument: { spaceName: string; after: number }) => (RunSummary & { runRef: number })[];
  ping: (argument: Record<string, never>) => void;
  /** Reads the whole database. Fails as damaged if its structure is. */
  check: (argument: Record<string, never>) => void;
  close: (argument: Record<string, never>) => void;
}

export type EngineOperation = keyof EngineOperations;
export type Argument<O extends EngineOperation> = Parameters<EngineOperations[O]>[0];
export type Result<O extends EngineOperation> = ReturnType<EngineOperations[O]>;

/** Message to the thread: one call. */
export type EngineRequest = {
  [O in EngineOperation]: { id: number; operation: O; argument: Argument<O> };
}[EngineOperation];

/** Message from the thread: the result of a call, or its error. `failure` selects the error class. */
export type EngineResponse =
  | { id: number; ok: true; result: Result<EngineOperation> }
  | { id: number; ok: false; failure: EngineFailure; message: string; cause: unknown };

/** Worker data of the thread. */
export interface EngineOptions {
  readonly directory: string;
  readonly maxIndexBytes: number;
}

/** The file does not contain what the engine has written. */
export class DamagedStorageError extends Error {
  override readonly name = 'DamagedStorageError';
}

/** The file is not the one that was opened: it was deleted or replaced, and what is written would be lost. */
export class ReplacedStorageError extends Error {
  override readonly name = 'ReplacedStorageError';
}

/** Primary result codes of transient failures (https://sqlite.org/rescode.html). */
const TRANSIENT_CODES: Readonly<Record<number, UnavailableReason | null>> = {
  5: null, // BUSY: another process writes
  6: null, // LOCKED
  7: null, // NOMEM
  8: 'may not be written', // READONLY
  10: null, // IOERR
  13: 'has a full disk', // FULL
  14: null, // CANTOPEN: the directory does not exist yet, or no file handle is left
  15: null, // PROTOCOL: the file of the shared memory was replaced
};
/** CORRUPT, and NOTADB: the header is not that of a database. */
const DAMAGE_CODES: ReadonlySet<number> = new Set([11, 26]);

/** Error codes of the file system that have a reason. */
const FILE_CODES: Readonly<Record<string, UnavailableReason>> = {
  ENOSPC: 'has a full disk',
  EDQUOT: 'has a full disk',
  EROFS: 'may not be written',
  EACCES: 'may not be written',
};

/** How a call of the engine failed. `damaged`: the file must be replaced. `replaced`: that has happened. */
type EngineFailure =
  | { kind: 'permanent' | 'space' | 'damaged' | 'replaced' }
  | { kind: 'transient'; reason: UnavailableReason | null };

/** Classifies an error of SQLite, of the file system or of the engine. */
export function engineFailureOf(error: unknown): EngineFailure {
  if (error instanceof SpaceNotFoundError) return { kind: 'space' };
  if (error instanceof DamagedStorageError) return { kind: 'damaged' };
  if (error instanceof ReplacedStorageError) return { kind: 'replaced' };
  if (error instanceof VectorStoreUnavailableError)
    return { kind: 'transient', reason: error.reason ?? null };
  if (!(error instanceof Error)) return { kind: 'permanent' };
  // A failed system call: the directory cannot be created, access is denied, or the disk is full.
  if ('syscall' in error) {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    return { kind: 'transient', reason: FILE_CODES[code] ?? null };
  }
  if (!('errcode' in error) || typeof error.errcode !== 'number') return { kind: 'permanent' };
  // The low byte of an extended code is the primary one.
  const code = error.errcode & 0xff;
  if (DAMAGE_CODES.has(code)) return { kind: 'damaged' };
  const reason = TRANSIENT_CODES[code];
  return reason === undefined ? { kind: 'permanent' } : { kind: 'transient', reason };
}
