import type {
  DatasourceScope,
  Hit,
  RunScope,
  RunSummary,
  SearchQuery,
  Space,
  TenantScope,
} from '../vector-store.port.js';
import type { EngineFailure } from './engine-errors.js';
import type { PointBatch } from './point-batch.codec.js';

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
