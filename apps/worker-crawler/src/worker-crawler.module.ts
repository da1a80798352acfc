import { type Config, findChromium } from '@citewell/config';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import { type HostedWorker, RunBlobs, RunExecutor, WorkerHosts } from '@citewell/ingestion';
import type { Logger } from '@citewell/observability';
import { GuardedHttpClient, HostGate, type ProxyOptions } from '@citewell/web';
import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { BodyRooms } from './crawl-site/body-room.js';
import { CrawlSiteHandler } from './crawl-site/crawl-site.handler.js';
import { HostSeats, seatLimits } from './crawl-site/host-seats.js';
import { HostTurns } from './crawl-site/host-turns.js';
import { PageSettler } from './crawl-site/page-settler.js';
import { RobotsService } from './crawl-site/robots.service.js';
import { Seeds } from './crawl-site/seeds.js';
import { SitemapSettler } from './crawl-site/sitemap-settler.js';
import { UrlFetcher } from './crawl-site/url-fetcher.js';
import { FetchPageHandler } from './fetch-page/fetch-page.handler.js';
import { PageReader } from './page-reader/page-reader.js';
import { PageRendering } from './rendering/page-rendering.js';
import { Renderer } from './rendering/renderer.js';

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
    HostTurns,
    UrlFetcher,
    BodyRooms,
    RobotsService,
    PageReader,
    PageRendering,
    {
      provide: GuardedHttpClient,
      useFactory: (config: Config) => {
        const proxy = proxyOf(config);
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
          proxy: proxyOf(config),
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
      provide: HostSeats,
      useFactory: (config: Config, gate: HostGate) =>
        new HostSeats(gate, seatLimits(config.CRAWLER_CONCURRENCY)),
      inject: [CONFIG, HostGate],
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
    @Inject(Renderer) private readonly renderer: Renderer,
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
    await this.renderer.close();
    await this.reader.end();
    await this.client.close();
  }
}

/** A proxy for one scheme serves the other one too. */
function proxyOf({ HTTPS_PROXY, HTTP_PROXY, NO_PROXY }: Config): ProxyOptions | null {
  const url = HTTPS_PROXY ?? HTTP_PROXY;
  return url === undefined ? null : { url, httpUrl: HTTP_PROXY ?? url, bypass: NO_PROXY };
}
