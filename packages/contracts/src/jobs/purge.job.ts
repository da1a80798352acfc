import { z } from 'zod';
import { defineJob } from './job.js';

/**
 * Removes deleted datasources, or runs that no longer serve, from the vector store and the blob store: the purges of one
 * organization that were claimed as a batch.
 */
export const purgeJob = defineJob({
  name: 'purge',
  queue: 'index',
  payload: z.object({ organizationId: z.uuid(), batchId: z.uuid() }),
  timeoutMs: 60 * 60_000,
});
