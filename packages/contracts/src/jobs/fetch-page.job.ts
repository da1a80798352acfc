import { defineJob, batchPayloadSchema } from './job.js';

/** Fetches one web page into the blob store. */
export const fetchPageJob = defineJob({
  name: 'fetch-page',
  queue: 'crawl',
  payload: batchPayloadSchema,
  timeoutMs: 5 * 60_000,
});
