import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { type JobHandlers, JobProcessor, WORKER_OPTIONS } from '@citewell/queue';
import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { ParseDocumentHandler } from './parse-document/parse-document.handler.js';

@Processor('parse', WORKER_OPTIONS)
export class ParseProcessor extends JobProcessor<'parse'> {
  protected readonly handlers: JobHandlers<'parse'>;

  constructor(
    @Inject(ParseDocumentHandler) parseDocument: ParseDocumentHandler,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger);
    this.handlers = {
      'parse-document': (batch, job) => parseDocument.handle(batch, job),
    };
  }
}
