import { defineJob, runPayloadSchema } from './job.js';

/** Parses the original bytes into a document: the canonical text and its blocks. */
export const parseDocumentJob = defineJob({
  name: 'parse-document',
  queue: 'parse',
  payload: runPayloadSchema,
  timeoutMs: 60 * 60_000,
});
