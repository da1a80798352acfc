import { defineJob, runPayloadSchema } from './job.js';

/** Finds and fetches pages of one web site for a while; the run comes back until there are none left. */
export const crawlSiteJob = defineJob({
  name: 'crawl-site',
  queue: 'crawl',
  payload: runPayloadSchema,
  timeoutMs: 15 * 60_000,
});
