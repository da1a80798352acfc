import type { Config } from '@citewell/config';
import { RunDispatchRepository } from '@citewell/database';
import { CONFIG, LOGGER, PROCESS_NAME, QUEUE_CONNECTION } from '@citewell/infrastructure';
import { RunBlobs, RunExecutor, WorkerHost } from '@citewell/ingestion';
import type { Logger } from '@citewell/observability';
import type { QueueConnection } from '@citewell/queue';
import { GuardedHttpClient } from '@citewell/web';
import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { FetchPageHandler } from './fetch-page/fetch-page.handler.js';

/** Takes the jobs of the `crawl` queue. */
@Module({
  providers: [
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
  private readonly host: WorkerHost<'crawl'>;

  constructor(
    @Inject(FetchPageHandler) handler: FetchPageHandler,
    @Inject(GuardedHttpClient) private readonly client: GuardedHttpClient,
    @Inject(QUEUE_CONNECTION) connection: QueueConnection,
    @Inject(RunDispatchRepository) dispatch: RunDispatchRepository,
    @Inject(PROCESS_NAME) processName: string,
    @Inject(LOGGER) logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.host = new WorkerHost({
      queue: 'crawl',
      handlers: { 'fetch-page': (payload, job) => handler.handle(payload, job) },
      slots: config.CRAWLER_CONCURRENCY,
      connection,
      dispatch,
      processName,
      logger,
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.host.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.host.stop(this.config.SHUTDOWN_GRACE_MS);
    await this.client.close();
  }
}
