import { type Stage, STAGES } from '@citewell/contracts/schemas';
import type { BatchRule } from '@citewell/database';
import { FILE_TYPES, isTextual } from '@citewell/documents/file-type';
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

/** Only small texts are parsed together: delivering one costs more than parsing it. Other files take their time. */
export const BATCH_RULE: BatchRule = { contentTypes: FILE_TYPES.filter(isTextual) };

/** Slots assumed for a queue while no worker of it has reported. */
export const MINIMUM_SLOTS = 1;
