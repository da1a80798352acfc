import type { Config } from '@citewell/config';
import { CONFIG } from '@citewell/infrastructure';
import { type HostedWorker, RunBlobs, RunExecutor, WorkerHosts } from '@citewell/ingestion';
import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { ChunkThread } from './chunking/chunk-thread.js';
import { ChunkVectorizer } from './index-document/chunk-vectorizer.js';
import { IndexDocumentHandler } from './index-document/index-document.handler.js';
import { PurgeHandler } from './purge/purge.handler.js';

/** Takes the jobs of the `index` queue. */
@Module({
  providers: [
    WorkerHosts,
    RunExecutor,
    RunBlobs,
    ChunkThread,
    ChunkVectorizer,
    IndexDocumentHandler,
    PurgeHandler,
  ],
})
export class WorkerIndexerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly worker: HostedWorker;

  constructor(
    @Inject(IndexDocumentHandler) indexDocument: IndexDocumentHandler,
    @Inject(PurgeHandler) purge: PurgeHandler,
    @Inject(ChunkThread) private readonly chunker: ChunkThread,
    @Inject(WorkerHosts) hosts: WorkerHosts,
    @Inject(CONFIG) config: Config,
  ) {
    this.worker = hosts.host('index', config.INDEXER_CONCURRENCY, {
      'index-document': (payload, job) => indexDocument.handle(payload, job),
      purge: (payload) => purge.handle(payload),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.worker.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.stop();
    await this.chunker.end();
  }
}
