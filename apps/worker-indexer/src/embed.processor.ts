import { setTimeout as sleep } from 'node:timers/promises';
import { LOGGER, SPACES, type Spaces } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { type JobHandlers, JobProcessor, WORKER_OPTIONS } from '@citewell/queue';
import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { IndexDocumentHandler } from './index-document/index-document.handler.js';

/** Time in ms that a job waits for the model, before its runs give way to others. */
const PREPARING_MS = 5_000;

@Processor('embed', WORKER_OPTIONS)
export class EmbedProcessor extends JobProcessor<'embed'> {
  protected readonly handlers: JobHandlers<'embed'>;

  constructor(
    @Inject(IndexDocumentHandler) indexDocument: IndexDocumentHandler,
    @Inject(SPACES) spaces: Spaces,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger);
    this.handlers = {
      'embed-document': async (batch, job) => {
        if (spaces.isPreparing) await sleep(PREPARING_MS, undefined, { signal: job.signal }).catch(() => {});
        const { isPreparing, embedding, indexing } = spaces;
        if (isPreparing) return indexDocument.postpone(batch, job);
        // The model may have been configured away since the run was started.
        return indexDocument.handle(batch, job, embedding ?? indexing);
      },
    };
  }
}
