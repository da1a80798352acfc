import type { Config } from '@citewell/config';
import { listen, type Listener, NEW_RUN_CHANNEL } from '@citewell/database';
import { CONFIG, DATABASE_URL } from '@citewell/infrastructure';
import { type HostedWorker, RunBlobs, RunExecutor, WorkerHosts } from '@citewell/ingestion';
import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { ChunkThread } from './chunking/chunk-thread.js';
import { ChunkVectorizer } from './index-document/chunk-vectorizer.js';
import { IndexDocumentHandler } from './index-document/index-document.handler.js';
import { IndexProcessor } from './index.processor.js';
import { PointWriter } from './index-document/point-writer.js';
import { PurgeHandler } from './purge/purge.handler.js';

/** Processes the jobs of the `index` queue. */
@Module({
  providers: [
    WorkerHosts,
    RunExecutor,
    RunBlobs,
    ChunkThread,
    ChunkVectorizer,
    PointWriter,
    IndexDocumentHandler,
    IndexProcessor,
    PurgeHandler,
  ],
})
export class WorkerIndexerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly worker: HostedWorker;
  private listener: Listener | undefined;

  constructor(
    @Inject(IndexProcessor) processor: IndexProcessor,
    @Inject(ChunkThread) private readonly chunker: ChunkThread,
    @Inject(WorkerHosts) hosts: WorkerHosts,
    @Inject(CONFIG) config: Config,
    @Inject(DATABASE_URL) private readonly databaseUrl: string,
  ) {
    this.worker = hosts.host(processor, config.INDEXER_CONCURRENCY);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.worker.start();
    // Loads the tokenizer while the document is still being parsed.
    this.listener = listen(this.databaseUrl, NEW_RUN_CHANNEL, { onNotify: () => this.chunker.warmUp() });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.listener?.close();
    await this.worker.stop();
    await this.chunker.end();
  }
}
