import { JOB_CATALOG, type JobName, type JobPayload, QUEUES, type QueueName } from '@citewell/contracts/jobs';
import { type IQueueBackend, Queue } from 'bullmq';
import type { QueueConnection } from './queue-connection.js';
import { within } from './within.js';

/**
 * A queue that is away would be waited for without end. What was not added, or added too late, is delivered again by
 * the dispatcher.
 */
const ADD_PATIENCE_MS = 3_000;

/** A queue on either backend; its jobs are checked by the catalog, not by BullMQ's types. */
type AnyQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend>;

/** Puts jobs on their queues. The dispatcher is its only user. */
export class JobProducer {
  private readonly queues: ReadonlyMap<QueueName, AnyQueue>;

  constructor(private readonly connection: QueueConnection) {
    this.queues = new Map(QUEUES.map((name) => [name, openQueue(name, connection)]));
  }

  /**
   * Adds a job. Adding one with an id that still waits or runs does nothing; finished jobs are not kept, so an
   * id never blocks a later job for ever.
   *
   * @throws Error when the queue does not answer within three seconds
   * @param options.jobId without `:`, which the queue uses itself
   * @param options.priority 1 is first; jobs of equal priority are taken in order
   */
  async add<Name extends JobName>(
    name: Name,
    payload: JobPayload<Name>,
    options: { jobId: string; priority: number },
  ): Promise<void> {
    const queue = this.queues.get(JOB_CATALOG[name].queue);
    if (!queue) throw new Error(`There is no queue for ${name}`);
    const job = { ...options, attempts: 1, removeOnComplete: true, removeOnFail: true };
    await within(queue.add(name, payload, job), ADD_PATIENCE_MS);
  }

  /** Jobs that wait or run, by queue. */
  async depths(): Promise<Record<QueueName, number>> {
    const entries = await Promise.all(
      [...this.queues].map(async ([name, queue]) => {
        const counts = await queue.getJobCounts('waiting', 'active', 'prioritized', 'delayed');
        return [name, Object.values(counts).reduce((sum, count) => sum + count, 0)] as const;
      }),
    );
    // The map has exactly the catalog's queues.
    return Object.fromEntries(entries) as Record<QueueName, number>;
  }

  async ping(): Promise<void> {
    await this.connection.ping();
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }
}

function openQueue(name: QueueName, { options, backend }: QueueConnection): AnyQueue {
  const queue: AnyQueue = new Queue(name, options, backend);
  queue.on('error', () => undefined);
  return queue;
}
