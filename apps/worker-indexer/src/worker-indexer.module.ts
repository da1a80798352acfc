import type { Config } from '@citewell/config';
import { RunDispatchRepository } from '@citewell/database';
import { CONFIG, LOGGER, PROCESS_NAME, QUEUE_CONNECTION } from '@citewell/infrastructure';
import { RunBlobs, RunExecutor, WorkerHost } from '@citewell/ingestion';
import type { Logger } from '@citewell/observability';
import type { QueueConnection } from '@citewell/queue';
import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { ChunkThread } from './chunking/chunk-thread.js';
import { ChunkVectorizer } from './index-document/chunk-vectorizer.js';
import { IndexDocumentHandler } from './index-document/index-document.handler.js';
import { PurgeHandler } from './purge/purge.handler.js';

/** Takes the jobs of the `index` queue. */
@Module({
  providers: [RunExecutor, RunBlobs, ChunkThread, ChunkVectorizer, IndexDocumentHandler, PurgeHandler],
})
export class WorkerIndexerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly host: WorkerHost<'index'>;

  constructor(
    @Inject(IndexDocumentHandler) indexDocument: IndexDocumentHandler,
    @Inject(PurgeHandler) purge: PurgeHandler,
    @Inject(ChunkThread) private readonly chunker: ChunkThread,
    @Inject(QUEUE_CONNECTION) connection: QueueConnection,
    @Inject(RunDispatchRepository) dispatch: RunDispatchRepository,
    @Inject(PROCESS_NAME) processName: string,
    @Inject(LOGGER) logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.host = new WorkerHost({
      queue: 'index',
      handlers: {
        'index-document': (payload, job) => indexDocument.handle(payload, job),
        purge: (payload) => purge.handle(payload),
      },
      slots: config.INDEXER_CONCURRENCY,
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
    await this.chunker.end();
  }
}
