import { crawlSiteJob } from './crawl-site.job.js';
import { embedDocumentJob } from './embed-document.job.js';
import { fetchPageJob } from './fetch-page.job.js';
import { indexDocumentJob } from './index-document.job.js';
import { parseDocumentJob } from './parse-document.job.js';
import { purgeJob } from './purge.job.js';

/**
 * Every job. The handlers of a worker are a mapped type over
 * this table, so a missing handler does not compile.
 */
export const JOB_CATALOG = {
  'crawl-site': crawlSiteJob,
  'fetch-page': fetchPageJob,
  'parse-document': parseDocumentJob,
  'index-document': indexDocumentJob,
  'embed-document': embedDocumentJob,
  purge: purgeJob,
} as const;

export type JobName = keyof typeof JOB_CATALOG;
