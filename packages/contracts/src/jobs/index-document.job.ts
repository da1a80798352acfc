import { defineJob, batchPayloadSchema } from './job.js';

/**
 * Splits a document into chunks, writes them to the vector
 * store, verifies their count and lets the run serve.
 */
export const indexDocumentJob = defineJob({
  name: 'index-document',
  queue: 'index',
  payload: batchPayloadSchema,
  timeoutMs: 6 * 60 * 60_000,
});
