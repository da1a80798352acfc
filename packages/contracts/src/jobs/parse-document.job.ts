import { defineJob, batchPayloadSchema } from './job.js';

/** Parses the original bytes into a document: the canonical text and its blocks. */
export const parseDocumentJob = defineJob({
  name: 'parse-document',
  queue: 'parse',
  payload: batchPayloadSchema,
  timeoutMs: 60 * 60_000,
});
