import { defineJob, runPayloadSchema } from './job.js';

/** Fetches one web page into the blob store. */
export const fetchPageJob = defineJob({
  name: 'fetch-page',
  queue: 'crawl',
  payload: runPayloadSchema,
  timeoutMs: 5 * 60_000,
});
