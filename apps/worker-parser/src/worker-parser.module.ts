import type { Config } from '@citewell/config';
import { CONFIG, languageDirectory, LOGGER } from '@citewell/infrastructure';
import { type QueueWorker, QueueWorkers, RunBlobs, RunExecutor } from '@citewell/ingestion';
import type { Logger } from '@citewell/observability';
import { newScratchPath, removeAbandonedScratch } from '@citewell/observability/child-processes';
import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { type JobHandlers, JobProcessor, WORKER_OPTIONS } from '@citewell/queue';
import { Processor } from '@nestjs/bullmq';
import {
  ChangeDetector,
  DocumentParsing,
  ParseDocumentHandler,
  ContentParser,
} from './parse-document/parse-document.handler.js';
import { PictureDescriptions } from './descriptions/picture-descriptions.js';
import { RecognizedPagesStore } from './recognition/recognized-pages.store.js';
import { TextRecognition } from './recognition/text-recognition.js';
import { ParserSandbox } from './sandbox/parser-sandbox.js';
import { ArchiveUnpacker } from './unpack-archive/archive-unpacker.js';

@Processor('parse', WORKER_OPTIONS)
class ParseProcessor extends JobProcessor<'parse'> {
  protected readonly handlers: JobHandlers<'parse'>;

  constructor(
    @Inject(ParseDocumentHandler) parseDocument: ParseDocumentHandler,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(logger);
    this.handlers = {
      'parse-document': (batch, job) => parseDocument.handle(batch, job),
    };
  }
}

const SCRATCH_DIRECTORY = newScratchPath('parser');

/** Processes the jobs of the `parse` queue. */
@Module({
  providers: [
    QueueWorkers,
    RunExecutor,
    RunBlobs,
    RecognizedPagesStore,
    PictureDescriptions,
    ArchiveUnpacker,
    ContentParser,
    ChangeDetector,
    DocumentParsing,
    ParseDocumentHandler,
    ParseProcessor,
    {
      provide: TextRecognition,
      useFactory: (config: Config, logger: Logger) =>
        new TextRecognition({
          tesseract: config.TESSERACT_PATH,
          languages: config.OCR_LANGUAGES,
          languageFolder: languageDirectory(config),
          parallel: config.PARSER_CONCURRENCY,
          logger,
        }),
      inject: [CONFIG, LOGGER],
    },
    {
      provide: ParserSandbox,
      useFactory: (config: Config, recognition: TextRecognition, logger: Logger) =>
        new ParserSandbox({
          processes: config.PARSER_CONCURRENCY,
          timeoutMs: config.PARSER_TIMEOUT_MS,
          maxMemoryBytes: config.PARSER_MEMORY_BYTES,
          maxOutputCharacters: config.PARSER_MAX_CHARACTERS,
          scratchDirectory: SCRATCH_DIRECTORY,
          languageFolder: languageDirectory(config),
          recognition,
          logger,
        }),
      inject: [CONFIG, TextRecognition, LOGGER],
    },
  ],
})
export class WorkerParserModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly worker: QueueWorker;

  constructor(
    @Inject(ParseProcessor) processor: ParseProcessor,
    @Inject(ParserSandbox) private readonly sandbox: ParserSandbox,
    @Inject(QueueWorkers) queueWorkers: QueueWorkers,
    @Inject(CONFIG) config: Config,
  ) {
    this.worker = queueWorkers.add(processor, config.PARSER_CONCURRENCY);
  }

  async onApplicationBootstrap(): Promise<void> {
    await removeAbandonedScratch('parser', { own: SCRATCH_DIRECTORY });
    await this.worker.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.stop();
    await this.sandbox.close();
  }
}
