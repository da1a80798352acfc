import { z } from 'zod';
import { batchPayloadSchema, defineJob } from './job.js';

/**
 * Removes deleted datasources, or runs that no longer serve, from the vector store and the blob store: the purges of one
 * organization that were claimed as a batch.
 */
const purgeJob = defineJob({
  name: 'purge',
  queue: 'index',
  payload: z.object({ organizationId: z.uuid(), batchId: z.uuid() }),
  timeoutMs: 60 * 60_000,
});

/**
 * Splits a document into chunks, writes them to the vector
 * store, verifies their count and lets the run serve.
 */
const indexDocumentJob = defineJob({
  name: 'index-document',
  queue: 'index',
  payload: batchPayloadSchema,
  timeoutMs: 6 * 60 * 60_000,
});

/**
 * Indexes the text of a serving run again, with the vectors of the embedding model. Its queue is not that of
 * `index-document`: new documents must not wait for a slow model.
 */
const embedDocumentJob = defineJob({
  name: 'embed-document',
  queue: 'embed',
  payload: batchPayloadSchema,
  timeoutMs: 24 * 60 * 60_000,
});

/** Parses the original bytes into a document: the canonical text and its blocks. */
const parseDocumentJob = defineJob({
  name: 'parse-document',
  queue: 'parse',
  payload: batchPayloadSchema,
  timeoutMs: 60 * 60_000,
});

/** Fetches one web page into the blob store. */
const fetchPageJob = defineJob({
  name: 'fetch-page',
  queue: 'crawl',
  payload: batchPayloadSchema,
  timeoutMs: 5 * 60_000,
});

/** Crawls one web site for one time slice. The run is enqueued again until its frontier is empty. */
const crawlSiteJob = defineJob({
  name: 'crawl-site',
  queue: 'crawl',
  payload: batchPayloadSchema,
  timeoutMs: 15 * 60_000,
});

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
