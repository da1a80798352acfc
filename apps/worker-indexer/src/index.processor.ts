import { LOGGER, SPACES, type Spaces } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { type JobHandlers, JobProcessor, WORKER_OPTIONS } from '@citewell/queue';
import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { IndexDocumentHandler } from './index-document/index-document.handler.js';
import { PurgeHandler } from './purge/purge.handler.js';

@Processor('index', WORKER_OPTIONS)
export class IndexProcessor extends JobProcessor<'index'> {
  protected readonly handlers: JobHandlers<'index'>;

  constructor(
    @Inject(IndexDocumentHandler) indexDocument: IndexDocumentHandler,
    @Inject(PurgeHandler) purge: PurgeHandler,
    @Inject(SPACES) spaces: Spaces,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger);
    this.handlers = {
      'index-document': (batch, job) => indexDocument.handle(batch, job, spaces.indexing),
      purge: (payload) => purge.handle(payload),
    };
  }
}
