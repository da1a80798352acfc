import { LOGGER, SPACES, type Spaces } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { type JobHandlers, JobProcessor, WORKER_OPTIONS } from '@citewell/queue';
import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { EMBED_SIBLINGS, IndexDocumentHandler } from './index-document/index-document.handler.js';

@Processor('embed', WORKER_OPTIONS)
export class EmbedProcessor extends JobProcessor<'embed'> {
  protected readonly handlers: JobHandlers<'embed'>;

  constructor(
    @Inject(IndexDocumentHandler) indexDocument: IndexDocumentHandler,
    @Inject(SPACES) { indexing, embedding }: Spaces,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger);
    this.handlers = {
      // The model may have been configured away since the run was started.
      'embed-document': (payload, job) =>
        indexDocument.handle(payload, job, embedding ?? indexing, EMBED_SIBLINGS),
    };
  }
}
