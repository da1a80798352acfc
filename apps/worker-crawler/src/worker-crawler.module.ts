import type { Config } from '@citewell/config';
import { CONFIG } from '@citewell/infrastructure';
import { type HostedWorker, RunBlobs, RunExecutor, WorkerHosts } from '@citewell/ingestion';
import { GuardedHttpClient } from '@citewell/web';
import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { FetchPageHandler } from './fetch-page/fetch-page.handler.js';

/** Takes the jobs of the `crawl` queue. */
@Module({
  providers: [
    WorkerHosts,
    RunExecutor,
    RunBlobs,
    FetchPageHandler,
    {
      provide: GuardedHttpClient,
      useFactory: (config: Config) =>
        new GuardedHttpClient({
          userAgent: config.CRAWL_USER_AGENT,
          allowPrivateNetworks: config.ALLOW_PRIVATE_NETWORKS,
        }),
      inject: [CONFIG],
    },
  ],
})
export class WorkerCrawlerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly worker: HostedWorker;

  constructor(
    @Inject(FetchPageHandler) handler: FetchPageHandler,
    @Inject(GuardedHttpClient) private readonly client: GuardedHttpClient,
    @Inject(WorkerHosts) hosts: WorkerHosts,
    @Inject(CONFIG) config: Config,
  ) {
    this.worker = hosts.host('crawl', config.CRAWLER_CONCURRENCY, {
      'fetch-page': (payload, job) => handler.handle(payload, job),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.worker.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.stop();
    await this.client.close();
  }
}
