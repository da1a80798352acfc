import { z } from 'zod';
import { defineJob } from './job.js';

/** Removes a deleted datasource, or a run that no longer serves, from the vector store and the blob store. */
export const purgeJob = defineJob({
  name: 'purge',
  queue: 'index',
  payload: z.object({ organizationId: z.uuid(), purgeId: z.uuid() }),
  timeoutMs: 60 * 60_000,
});
