import type { Config } from '@citewell/config';
import { listen, type Listener, NEW_RUN_CHANNEL } from '@citewell/database';
import { CONFIG, DATABASE_URL } from '@citewell/infrastructure';
import { type QueueWorker, RunBlobs, RunExecutor, QueueWorkers } from '@citewell/ingestion';
import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { ChunkThread } from './chunking/chunk-thread.js';
import { ChunkVectorizer } from './index-document/chunk-vectorizer.js';
import { IndexDocumentHandler } from './index-document/index-document.handler.js';
import { EmbedProcessor } from './embed.processor.js';
import { IndexProcessor } from './index.processor.js';
import { PointWriter } from './index-document/point-writer.js';
import { PurgeHandler } from './purge/purge.handler.js';

/** Processes the jobs of the queues `index` and `embed`. */
@Module({
  providers: [
    QueueWorkers,
    RunExecutor,
    RunBlobs,
    ChunkThread,
    ChunkVectorizer,
    PointWriter,
    IndexDocumentHandler,
    IndexProcessor,
    EmbedProcessor,
    PurgeHandler,
  ],
})
export class WorkerIndexerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly workers: readonly QueueWorker[];
  private listener: Listener | undefined;

  constructor(
    @Inject(IndexProcessor) index: IndexProcessor,
    @Inject(EmbedProcessor) embed: EmbedProcessor,
    @Inject(ChunkThread) private readonly chunker: ChunkThread,
    @Inject(QueueWorkers) queueWorkers: QueueWorkers,
    @Inject(CONFIG) config: Config,
    @Inject(DATABASE_URL) private readonly databaseUrl: string,
  ) {
    this.workers = [
      queueWorkers.add(index, config.INDEXER_CONCURRENCY),
      queueWorkers.add(embed, config.EMBEDDER_CONCURRENCY),
    ];
  }

  async onApplicationBootstrap(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.start()));
    // Loads the tokenizer while the document is still being parsed.
    this.listener = listen(this.databaseUrl, NEW_RUN_CHANNEL, { onNotify: () => this.chunker.warmUp() });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.listener?.close();
    await Promise.all(this.workers.map((worker) => worker.stop()));
    await this.chunker.end();
  }
}
