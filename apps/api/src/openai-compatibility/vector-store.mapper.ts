import type { Datastore } from '@citewell/contracts/http';
import type { DatasourceCounts } from '@citewell/database';
import { unixTime } from './model.mapper.js';

interface VectorStore {
  id: string;
  object: 'vector_store';
  created_at: number;
  last_active_at: number;
  name: string;
  /** Not counted. */
  usage_bytes: 0;
  file_counts: { in_progress: number; completed: number; failed: number; cancelled: 0; total: number };
  status: 'in_progress' | 'completed';
  metadata: null;
}

/** A datastore as a vector store. */
export function toVectorStore(
  { id, name, timestamps }: Datastore,
  { unsynched = 0, running = 0, synched = 0, error = 0, usage_limit_reached = 0 }: DatasourceCounts = {},
): VectorStore {
  const counts = {
    in_progress: unsynched + running,
    completed: synched,
    failed: error + usage_limit_reached,
    cancelled: 0 as const,
  };
  return {
    id,
    object: 'vector_store',
    created_at: unixTime(new Date(timestamps.createdAt)),
    last_active_at: unixTime(new Date(timestamps.updatedAt)),
    name,
    usage_bytes: 0,
    file_counts: { ...counts, total: counts.in_progress + counts.completed + counts.failed },
    status: counts.in_progress > 0 ? 'in_progress' : 'completed',
    metadata: null,
  };
}
