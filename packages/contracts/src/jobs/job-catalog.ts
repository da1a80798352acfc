import { z } from 'zod';
import { stageSchema } from '../http/content/datasource-status.schema.js';

/**
 * One queue per kind of worker, so that each kind scales by
 * the length of its queue. BullMQ forbids `:` in names.
 */
export const QUEUES = ['crawl', 'parse', 'index', 'embed'] as const;
export type QueueName = (typeof QUEUES)[number];

/** The most runs that one job delivers. */
export const MAX_BATCH_RUNS = 32;

/**
 * A kind of job. Retries, backoff and history are in the database, not in the queue. The queue delivers a job
 * once; the worker acquires the leases of the runs or returns.
 */
export interface JobDefinition<Name extends string, Queue extends QueueName, Schema extends z.ZodType> {
  readonly name: Name;
  readonly queue: Queue;
  /**
   * Ids only, never content. A job whose payload is that of another release is dropped, and the dispatcher delivers its
   * work again from the database.
   */
  readonly payload: Schema;
  /** After this time the handler's signal is aborted. The lease ends when the handler returns. */
  readonly timeoutMs: number;
}

export function defineJob<Name extends string, Queue extends QueueName, Schema extends z.ZodType>(
  definition: JobDefinition<Name, Queue, Schema>,
): JobDefinition<Name, Queue, Schema> {
  return definition;
}

/** One run of a batch. `delivery` numbers the deliveries of the run. */
const deliverySchema = z.object({
  datasourceId: z.uuid(),
  runId: z.uuid(),
  delivery: z.number().int(),
});
export type Delivery = z.infer<typeof deliverySchema>;

/** The payload of every job about runs: one run, or several small ones of one organization and stage. */
export const batchPayloadSchema = z.object({
  organizationId: z.uuid(),
  stage: stageSchema,
  deliveries: z.array(deliverySchema).min(1).max(MAX_BATCH_RUNS),
});
export type BatchPayload = z.infer<typeof batchPayloadSchema>;

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

/** Syncs one source for one time slice. The run is enqueued again until everything is listed and fetched. */
const syncSourceJob = defineJob({
  name: 'sync-source',
  queue: 'crawl',
  payload: batchPayloadSchema,
  timeoutMs: 60 * 60_000,
});

/**
 * Every job. The handlers of a worker are a mapped type over
 * this table, so a missing handler does not compile.
 */
export const JOB_CATALOG = {
  'crawl-site': crawlSiteJob,
  'fetch-page': fetchPageJob,
  'sync-source': syncSourceJob,
  'parse-document': parseDocumentJob,
  'index-document': indexDocumentJob,
  'embed-document': embedDocumentJob,
  purge: purgeJob,
} as const;

export type JobName = keyof typeof JOB_CATALOG;

/** The payload of the job `Name`. */
export type JobPayload<Name extends JobName> = z.infer<(typeof JOB_CATALOG)[Name]['payload']>;

/** The names of all jobs of one queue. A worker of the queue must handle each of them. */
export type JobsOf<Queue extends string> = {
  [Name in JobName]: (typeof JOB_CATALOG)[Name]['queue'] extends Queue ? Name : never;
}[JobName];
