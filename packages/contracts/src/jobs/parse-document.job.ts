import { defineJob, runPayloadSchema } from './job.js';

/** Raw bytes become a document: canonical text and its blocks. */
export const parseDocumentJob = defineJob({
  name: 'parse-document',
  queue: 'parse',
  payload: runPayloadSchema,
  timeoutMs: 60 * 60_000,
});
