import { z } from 'zod';
import { stageSchema } from '../http/content/datasources.schema.js';

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
