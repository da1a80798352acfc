import { type Stage, STAGES } from '@citewell/contracts/schemas';
import { JOB_CATALOG, type JobName } from '@citewell/contracts/jobs';

/** The job that executes each stage. */
export const STAGE_JOBS = {
  discovering: 'crawl-site',
  fetching: 'fetch-page',
  parsing: 'parse-document',
  indexing: 'index-document',
  embedding: 'embed-document',
} as const satisfies Record<Stage, JobName>;

/** The queue of each stage's job. */
export const STAGE_QUEUES = STAGES.map((stage) => ({ stage, queue: JOB_CATALOG[STAGE_JOBS[stage]].queue }));

/** Slots assumed for a queue while no worker of it has reported. */
export const MINIMUM_SLOTS = 1;
