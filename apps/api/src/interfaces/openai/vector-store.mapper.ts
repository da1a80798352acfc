import type { ListedDatastore } from '@citewell/contracts/schemas';
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
export function toVectorStore({ id, name, timestamps, documents }: ListedDatastore): VectorStore {
  const { total, inProgress, failed } = documents;
  return {
    id,
    object: 'vector_store',
    created_at: unixTime(new Date(timestamps.createdAt)),
    last_active_at: unixTime(new Date(timestamps.updatedAt)),
    name,
    usage_bytes: 0,
    file_counts: {
      in_progress: inProgress,
      completed: total - inProgress - failed,
      failed,
      cancelled: 0,
      total,
    },
    status: inProgress > 0 ? 'in_progress' : 'completed',
    metadata: null,
  };
}
