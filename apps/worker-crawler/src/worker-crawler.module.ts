import type { Config } from '@citewell/config';
import { CONFIG } from '@citewell/infrastructure';
import { type HostedWorker, RunBlobs, RunExecutor, WorkerHosts } from '@citewell/ingestion';
import { GuardedHttpClient, HostGate } from '@citewell/web';
import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { CrawlSiteHandler } from './crawl-site/crawl-site.handler.js';
import { PageSettler } from './crawl-site/page-settler.js';
import { RobotsService } from './crawl-site/robots.service.js';
import { Seeds } from './crawl-site/seeds.js';
import { SitemapSettler } from './crawl-site/sitemap-settler.js';
import { UrlFetcher } from './crawl-site/url-fetcher.js';
import { FetchPageHandler } from './fetch-page/fetch-page.handler.js';
import { PageReader } from './page-reader/page-reader.js';

/** Takes the jobs of the `crawl` queue. */
@Module({
  providers: [
    WorkerHosts,
    RunExecutor,
    RunBlobs,
    FetchPageHandler,
    CrawlSiteHandler,
    Seeds,
    PageSettler,
    SitemapSettler,
    UrlFetcher,
    RobotsService,
    PageReader,
    {
      provide: GuardedHttpClient,
      useFactory: (config: Config) =>
        new GuardedHttpClient({
          userAgent: config.CRAWL_USER_AGENT,
          allowPrivateNetworks: config.ALLOW_PRIVATE_NETWORKS,
        }),
      inject: [CONFIG],
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
  ],
})
export class WorkerCrawlerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly worker: HostedWorker;

  constructor(
    @Inject(FetchPageHandler) fetchPage: FetchPageHandler,
    @Inject(CrawlSiteHandler) crawlSite: CrawlSiteHandler,
    @Inject(GuardedHttpClient) private readonly client: GuardedHttpClient,
    @Inject(PageReader) private readonly reader: PageReader,
    @Inject(WorkerHosts) hosts: WorkerHosts,
    @Inject(CONFIG) config: Config,
  ) {
    this.worker = hosts.host('crawl', config.CRAWLER_CONCURRENCY, {
      'fetch-page': (payload, job) => fetchPage.handle(payload, job),
      'crawl-site': (payload, job) => crawlSite.handle(payload, job),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.worker.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.stop();
    await this.reader.end();
    await this.client.close();
  }
}
