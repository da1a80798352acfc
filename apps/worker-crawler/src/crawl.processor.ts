import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { type JobHandlers, JobProcessor, WORKER_OPTIONS } from '@citewell/queue';
import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { CrawlSiteHandler } from './crawl-site/crawl-site.handler.js';
import { FetchPageHandler } from './fetch-page/fetch-page.handler.js';

@Processor('crawl', WORKER_OPTIONS)
export class CrawlProcessor extends JobProcessor<'crawl'> {
  protected readonly handlers: JobHandlers<'crawl'>;

  constructor(
    @Inject(FetchPageHandler) fetchPage: FetchPageHandler,
    @Inject(CrawlSiteHandler) crawlSite: CrawlSiteHandler,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger);
    this.handlers = {
      'fetch-page': (batch, job) => fetchPage.handle(batch, job),
      'crawl-site': (batch, job) => crawlSite.handle(batch, job),
    };
  }
}
