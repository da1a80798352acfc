import { z } from 'zod';

/** One queue for each kind of worker: queues scale by their own depth. Names have no `:` (BullMQ). */
export const QUEUES = ['crawl', 'parse', 'index'] as const;
export type QueueName = (typeof QUEUES)[number];

/**
 * A kind of work. Retries, back-off and history live in the database, not in the queue: a job is delivered
 * once, and whoever gets it takes the run's lease or returns.
 */
export interface JobDefinition<Name extends string, Queue extends QueueName, Schema extends z.ZodType> {
  readonly name: Name;
  readonly queue: Queue;
  /** Ids only, never content. New fields are optional, so that jobs in flight survive an upgrade. */
  readonly payload: Schema;
  /** After this long without an end the handler is aborted and its lease given up. */
  readonly timeoutMs: number;
}

export function defineJob<Name extends string, Queue extends QueueName, Schema extends z.ZodType>(
  definition: JobDefinition<Name, Queue, Schema>,
): JobDefinition<Name, Queue, Schema> {
  return definition;
}

/** What every job about a run carries. `delivery` tells the deliveries of one run's stage apart. */
export const runPayloadSchema = z.object({
  organizationId: z.uuid(),
  datasourceId: z.uuid(),
  runId: z.uuid(),
  delivery: z.number().int(),
});
export type RunPayload = z.infer<typeof runPayloadSchema>;
