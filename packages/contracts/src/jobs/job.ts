import { z } from 'zod';

/**
 * One queue per kind of worker, so that each kind scales by
 * the length of its queue. BullMQ forbids `:` in names.
 */
export const QUEUES = ['crawl', 'parse', 'index', 'embed'] as const;
export type QueueName = (typeof QUEUES)[number];

/**
 * A kind of job. Retries, backoff and history are in the database, not in the queue. The queue delivers a job
 * once; the worker acquires the lease of the run or returns.
 */
export interface JobDefinition<Name extends string, Queue extends QueueName, Schema extends z.ZodType> {
  readonly name: Name;
  readonly queue: Queue;
  /** Ids only, never content. New fields are optional, so that jobs in flight survive an upgrade. */
  readonly payload: Schema;
  /** After this time the handler's signal is aborted. The lease ends when the handler returns. */
  readonly timeoutMs: number;
}

export function defineJob<Name extends string, Queue extends QueueName, Schema extends z.ZodType>(
  definition: JobDefinition<Name, Queue, Schema>,
): JobDefinition<Name, Queue, Schema> {
  return definition;
}

/** The payload of every job about a run. `delivery` numbers the deliveries of one stage of the run. */
export const runPayloadSchema = z.object({
  organizationId: z.uuid(),
  datasourceId: z.uuid(),
  runId: z.uuid(),
  delivery: z.number().int(),
});
export type RunPayload = z.infer<typeof runPayloadSchema>;
