import type { z } from 'zod';
import type { JOB_CATALOG } from './job-catalog.js';
import { type JobName } from './job-catalog.js';

export * from './job.js';
export * from './job-catalog.js';

/** The payload of the job `Name`. */
export type JobPayload<Name extends JobName> = z.infer<(typeof JOB_CATALOG)[Name]['payload']>;

/** The names of all jobs of one queue. A worker of the queue must handle each of them. */
export type JobsOf<Queue extends string> = {
  [Name in JobName]: (typeof JOB_CATALOG)[Name]['queue'] extends Queue ? Name : never;
}[JobName];
