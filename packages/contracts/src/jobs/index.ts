import type { z } from 'zod';
import type { JOB_CATALOG } from './job-catalog.js';
import { type JobName } from './job-catalog.js';

export * from './job.js';
export * from './job-catalog.js';

/** The payload of a job, by its name. */
export type JobPayload<Name extends JobName> = z.infer<(typeof JOB_CATALOG)[Name]['payload']>;

/** The names of the jobs of one queue: what a worker of that queue has to handle, all of it. */
export type JobsOf<Queue extends string> = {
  [Name in JobName]: (typeof JOB_CATALOG)[Name]['queue'] extends Queue ? Name : never;
}[JobName];
