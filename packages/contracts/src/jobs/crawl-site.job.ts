import { defineJob, batchPayloadSchema } from './job.js';

/** Crawls one web site for one time slice. The run is enqueued again until its frontier is empty. */
export const crawlSiteJob = defineJob({
  name: 'crawl-site',
  queue: 'crawl',
  payload: batchPayloadSchema,
  timeoutMs: 15 * 60_000,
});
