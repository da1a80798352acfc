import { defineJob, batchPayloadSchema } from './job.js';

/**
 * Indexes the text of a serving run again, with the vectors of the embedding model. Its queue is not that of
 * `index-document`: new documents must not wait for a slow model.
 */
export const embedDocumentJob = defineJob({
  name: 'embed-document',
  queue: 'embed',
  payload: batchPayloadSchema,
  timeoutMs: 24 * 60 * 60_000,
});
