import { type Config, findChromium } from '@citewell/config';
import { CONFIG, LOGGER, pageProxyOf } from '@citewell/infrastructure';
import { type QueueWorker, QueueWorkers, RunBlobs, RunExecutor } from '@citewell/ingestion';
import type { Logger } from '@citewell/observability';
import { GuardedHttpClient, HostGate } from '@citewell/web';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type JobHandlers, JobProcessor, WORKER_OPTIONS } from '@citewell/queue';
import { Processor } from '@nestjs/bullmq';
import { CrawlBatches, SiteUrlVisitor } from './crawl-site/crawl-batches.js';
import { CrawlFinisher } from './crawl-site/crawl-finisher.js';
import { CrawlSiteHandler } from './crawl-site/crawl-site.handler.js';
import { CrawlStart } from './crawl-site/crawl-start.js';
import { PageBodies } from './crawl-site/page-bodies.js';
import { PageVisitor } from './crawl-site/page-visitor.js';
import { SitemapVisitor } from './crawl-site/sitemap-visitor.js';
import { FetchedPages, FetchPageHandler } from './fetch-page/fetch-page.handler.js';
import { HostPacer, HostSlots } from './fetching/host-pacer.js';
import { LargeBodies, UrlFetcher } from './fetching/url-fetcher.js';
import { RobotsService } from './fetching/robots.service.js';
import { PageLoader } from './page/page-loader.js';
import { PageReader } from './page-reader/page-reader.js';
import { SitePreviewWorker } from './preview-site/site-preview.worker.js';
import { SitePreviewer } from './preview-site/site-previewer.js';
import { PageRendering } from './page/page-rendering.js';
import { Renderer } from './rendering/renderer.js';
import { DocumentFetcher } from './sync-source/document-fetcher.js';
import { SourceWatcher } from './sync-source/source-watcher.js';
import { SyncSourceHandler } from './sync-source/sync-source.handler.js';

@Processor('crawl', WORKER_OPTIONS)
class CrawlProcessor extends JobProcessor<'crawl'> {
  protected readonly handlers: JobHandlers<'crawl'>;

  constructor(
    @Inject(FetchPageHandler) fetchPage: FetchPageHandler,
    @Inject(CrawlSiteHandler) crawlSite: CrawlSiteHandler,
    @Inject(SyncSourceHandler) syncSource: SyncSourceHandler,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger);
    this.handlers = {
      'fetch-page': (batch, job) => fetchPage.handle(batch, job),
      'crawl-site': (batch, job) => crawlSite.handle(batch, job),
      'sync-source': (batch, job) => syncSource.handle(batch, job),
    };
  }
}

/** What holds processes, threads and connections open. */
@Injectable()
class CrawlerResources {
  constructor(
    @Inject(Renderer) private readonly renderer: Renderer,
    @Inject(PageReader) private readonly reader: PageReader,
    @Inject(GuardedHttpClient) private readonly client: GuardedHttpClient,
  ) {}

  async close(): Promise<void> {
    await this.renderer.close();
    await this.reader.end();
    await this.client.close();
  }
}

/** Takes the jobs of the `crawl` queue. */
@Module({
  providers: [
    QueueWorkers,
    RunExecutor,
    RunBlobs,
    CrawlProcessor,
    FetchPageHandler,
    FetchedPages,
    CrawlSiteHandler,
    SyncSourceHandler,
    DocumentFetcher,
    SourceWatcher,
    CrawlStart,
    CrawlBatches,
    CrawlFinisher,
    PageVisitor,
    PageBodies,
    SitemapVisitor,
    SiteUrlVisitor,
    SitePreviewer,
    SitePreviewWorker,
    PageLoader,
    UrlFetcher,
    HostPacer,
    LargeBodies,
    RobotsService,
    CrawlerResources,
    PageReader,
    PageRendering,
    {
      provide: GuardedHttpClient,
      useFactory: (config: Config) => {
        const proxy = pageProxyOf(config);
        return new GuardedHttpClient({
          userAgent: config.CRAWL_USER_AGENT,
          allowPrivateNetworks: config.ALLOW_PRIVATE_NETWORKS,
          ...(proxy === null ? {} : { proxy }),
        });
      },
      inject: [CONFIG],
    },
    {
      provide: Renderer,
      useFactory: (config: Config, logger: Logger) =>
        new Renderer({
          findChromium: () => findChromium(config.CHROMIUM_PATH),
          userAgent: config.CRAWL_USER_AGENT,
          allowPrivateNetworks: config.ALLOW_PRIVATE_NETWORKS,
          proxy: pageProxyOf(config),
          extraCaCerts: config.NODE_EXTRA_CA_CERTS,
          concurrency: config.RENDER_CONCURRENCY,
          timeoutMs: config.RENDER_TIMEOUT_MS,
          maxMemoryBytes: config.RENDER_MEMORY_BYTES,
          logger,
        }),
      inject: [CONFIG, LOGGER],
    },
    {
      provide: HostGate,
      useFactory: (config: Config) =>
        new HostGate({
          concurrencyPerHost: config.CRAWL_CONCURRENCY_PER_HOST,
          delayMs: config.CRAWL_DELAY_MS,
        }),
      inject: [CONFIG],
    },
    {
      provide: HostSlots,
      useFactory: (config: Config) => new HostSlots(config.CRAWLER_CONCURRENCY),
      inject: [CONFIG],
    },
  ],
})
export class WorkerCrawlerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly worker: QueueWorker;

  constructor(
    @Inject(CrawlProcessor) processor: CrawlProcessor,
    @Inject(QueueWorkers) queueWorkers: QueueWorkers,
    @Inject(CONFIG) config: Config,
    @Inject(SitePreviewWorker) private readonly previews: SitePreviewWorker,
    @Inject(SourceWatcher) private readonly sourceWatcher: SourceWatcher,
    @Inject(CrawlerResources) private readonly resources: CrawlerResources,
  ) {
    this.worker = queueWorkers.add(processor, config.CRAWLER_CONCURRENCY);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.worker.start();
    this.previews.start();
    this.sourceWatcher.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.previews.stop();
    await this.sourceWatcher.stop();
    await this.worker.stop();
    await this.resources.close();
  }
}
