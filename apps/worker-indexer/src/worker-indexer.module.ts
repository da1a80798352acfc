import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '@citewell/config';
import { listen, type Listener, NEW_RUN_CHANNEL } from '@citewell/database';
import { CONFIG, DATABASE_URL, LOGGER, SPACES, type Spaces } from '@citewell/infrastructure';
import { type QueueWorker, QueueWorkers, RunBlobs, RunExecutor } from '@citewell/ingestion';
import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from '@citewell/observability';
import { type JobHandlers, JobProcessor, WORKER_OPTIONS } from '@citewell/queue';
import { Processor } from '@nestjs/bullmq';
import { ChunkThread } from './chunking/chunk-thread.js';
import { IndexDocumentHandler } from './index-document/index-document.handler.js';
import { ChunkVectorizer, PointWriter } from './index-document/point-writer.js';
import { PurgeHandler } from './purge/purge.handler.js';

/** Time in ms that a job waits for the model, before its runs give way to others. */
const PREPARING_MS = 5_000;

@Processor('embed', WORKER_OPTIONS)
class EmbedProcessor extends JobProcessor<'embed'> {
  protected readonly handlers: JobHandlers<'embed'>;

  constructor(
    @Inject(IndexDocumentHandler) indexDocument: IndexDocumentHandler,
    @Inject(SPACES) spaces: Spaces,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger);
    this.handlers = {
      'embed-document': async (batch, job) => {
        if (spaces.isPreparing) await sleep(PREPARING_MS, undefined, { signal: job.signal }).catch(() => {});
        const { isPreparing, embedding, indexing } = spaces;
        if (isPreparing) return indexDocument.postpone(batch, job);
        // The model may have been configured away since the run was started.
        return indexDocument.handle(batch, job, embedding ?? indexing);
      },
    };
  }
}

@Processor('index', WORKER_OPTIONS)
class IndexProcessor extends JobProcessor<'index'> {
  protected readonly handlers: JobHandlers<'index'>;

  constructor(
    @Inject(IndexDocumentHandler) indexDocument: IndexDocumentHandler,
    @Inject(PurgeHandler) purge: PurgeHandler,
    @Inject(SPACES) spaces: Spaces,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger);
    this.handlers = {
      'index-document': (batch, job) => indexDocument.handle(batch, job, spaces.indexing),
      purge: (payload) => purge.handle(payload),
    };
  }
}

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
