import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@citewell/config';
import { RunDispatchRepository } from '@citewell/database';
import { CONFIG, LOGGER, PROCESS_NAME, QUEUE_CONNECTION } from '@citewell/infrastructure';
import { RunBlobs, RunExecutor, WorkerHost } from '@citewell/ingestion';
import type { Logger } from '@citewell/observability';
import type { QueueConnection } from '@citewell/queue';
import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { ParseDocumentHandler } from './parse-document/parse-document.handler.js';
import { ParserSandbox } from './sandbox/parser-sandbox.js';

/** Takes the jobs of the `parse` queue. */
@Module({
  providers: [
    RunExecutor,
    RunBlobs,
    ParseDocumentHandler,
    {
      provide: ParserSandbox,
      useFactory: (config: Config, logger: Logger) =>
        new ParserSandbox({
          processes: config.PARSER_CONCURRENCY,
          timeoutMs: config.PARSER_TIMEOUT_MS,
          maxMemoryBytes: config.PARSER_MEMORY_BYTES,
          maxOutputCharacters: config.PARSER_MAX_CHARACTERS,
          scratchDirectory: join(tmpdir(), `citewell-parser-${randomUUID()}`),
          logger,
        }),
      inject: [CONFIG, LOGGER],
    },
  ],
})
export class WorkerParserModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly host: WorkerHost<'parse'>;

  constructor(
    @Inject(ParseDocumentHandler) handler: ParseDocumentHandler,
    @Inject(ParserSandbox) private readonly sandbox: ParserSandbox,
    @Inject(QUEUE_CONNECTION) connection: QueueConnection,
    @Inject(RunDispatchRepository) dispatch: RunDispatchRepository,
    @Inject(PROCESS_NAME) processName: string,
    @Inject(LOGGER) logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.host = new WorkerHost({
      queue: 'parse',
      handlers: { 'parse-document': (payload, job) => handler.handle(payload, job) },
      slots: config.PARSER_CONCURRENCY,
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
    await this.sandbox.close();
  }
}
