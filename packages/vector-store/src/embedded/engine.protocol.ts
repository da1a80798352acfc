import type {
  DatasourceScope,
  DatastoreScope,
  Hit,
  RunScope,
  RunSummary,
  SearchQuery,
  Space,
  TenantScope,
} from '../vector-store.port.js';
import type { PointBatch } from './point-batch.codec.js';

/** What the engine's thread can be asked for: argument and answer of each operation. */
export interface EngineOperations {
  ensureSpace: (argument: { space: Space }) => void;
  listSpaces: (argument: Record<string, never>) => Space[];
  dropSpace: (argument: { name: string }) => void;
  upsert: (argument: { spaceName: string; batch: PointBatch }) => void;
  search: (argument: { spaceName: string; tenant: TenantScope; query: SearchQuery }) => Hit[];
  count: (argument: { spaceName: string; scope: RunScope }) => number;
  fetchVectors: (argument: {
    spaceName: string;
    scope: RunScope;
    contentHashes: readonly string[];
  }) => Map<string, Float32Array>;
  deleteRun: (argument: { scope: RunScope }) => void;
  deleteDatasource: (argument: { scope: DatasourceScope }) => void;
  deleteDatastore: (argument: { scope: DatastoreScope }) => void;
  scanRuns: (argument: { spaceName: string; after: number }) => (RunSummary & { runRef: number })[];
  ping: (argument: Record<string, never>) => void;
  close: (argument: Record<string, never>) => void;
}

export type EngineOperation = keyof EngineOperations;
export type Argument<O extends EngineOperation> = Parameters<EngineOperations[O]>[0];
export type Answer<O extends EngineOperation> = ReturnType<EngineOperations[O]>;

/** One call, as it is posted to the thread. */
export type EngineRequest = {
  [O in EngineOperation]: { id: number; operation: O; argument: Argument<O> };
}[EngineOperation];

/** What comes back: the answer, or an error with the class it shall have. */
export type EngineResponse =
  | { id: number; ok: true; answer: Answer<EngineOperation> }
  | { id: number; ok: false; transient: boolean; message: string; cause: unknown };

/** What the thread is started with. */
export interface EngineOptions {
  readonly directory: string;
  readonly maxIndexBytes: number;
}
