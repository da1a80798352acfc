import { crawlSiteJob } from './crawl-site.job.js';
import { fetchPageJob } from './fetch-page.job.js';
import { indexDocumentJob } from './index-document.job.js';
import { parseDocumentJob } from './parse-document.job.js';
import { purgeJob } from './purge.job.js';

/** Every job there is. A worker's handlers are a mapped type over this table, so none can be forgotten. */
export const JOB_CATALOG = {
  'crawl-site': crawlSiteJob,
  'fetch-page': fetchPageJob,
  'parse-document': parseDocumentJob,
  'index-document': indexDocumentJob,
  purge: purgeJob,
} as const;

export type JobName = keyof typeof JOB_CATALOG;
