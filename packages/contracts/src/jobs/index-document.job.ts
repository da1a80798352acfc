import { defineJob, runPayloadSchema } from './job.js';

/** A document becomes chunks and vectors; they are counted back, and the run comes to serve. */
export const indexDocumentJob = defineJob({
  name: 'index-document',
  queue: 'index',
  payload: runPayloadSchema,
  timeoutMs: 6 * 60 * 60_000,
});
