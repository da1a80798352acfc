import { mkdir } from 'node:fs/promises';
import { ApiModule, assertPortIsFree, createApi, ensureFirstOrganization, listenOn } from '@citewell/api';
import type { Config } from '@citewell/config';
import { createDataSource, migrate, OrganizationRepository, RunDispatchRepository } from '@citewell/database';
import { PostgresServer } from '@citewell/database/embedded';
import { dataDirectory, InfrastructureModule, queueLocation } from '@citewell/infrastructure';
import { createLogger, type Logger } from '@citewell/observability';
import { migrateQueue } from '@citewell/queue';
import { WorkerCrawlerModule } from '@citewell/worker-crawler';
import { WorkerIndexerModule } from '@citewell/worker-indexer';
import { WorkerParserModule } from '@citewell/worker-parser';
import { Module } from '@nestjs/common';
import { stopOnSignals } from './stop-on-signals.js';
import type { Running } from './welcome.js';

const APP = 'standalone';
/** Queues that this one process takes jobs from. */
const WORKERS = 3;

/**
 * Starts what is not given from outside, brings the schema up to date, and runs the API and the three workers in
 * this process. Everything stops, in the reverse order, on SIGINT or SIGTERM.
 */
export async function startStandalone(config: Config): Promise<Running> {
  await assertPortIsFree(config);
  const logger = createLogger(APP, config.LOG_LEVEL);
  const directory = dataDirectory(config);
  await mkdir(directory, { recursive: true, mode: 0o755 });

  const postgres = config.DATABASE_URL === undefined ? await startPostgres(directory, logger) : null;
  let app: Awaited<ReturnType<typeof createApi>> | undefined;
  const stop = async (): Promise<void> => {
    await app?.close();
    await postgres?.stop();
  };
  try {
    const databaseUrl = config.DATABASE_URL ?? postgres?.url ?? '';
    await prepareDatabase(config, databaseUrl, postgres !== null);
    const infrastructure = InfrastructureModule.forRoot({
      config,
      app: APP,
      databaseUrl,
      workers: WORKERS,
      logger,
    });

    @Module({
      imports: [infrastructure, ApiModule, WorkerCrawlerModule, WorkerParserModule, WorkerIndexerModule],
    })
    class StandaloneModule {}

    app = await createApi(StandaloneModule, { config, logger });
    const key = await ensureFirstOrganization(app.get(OrganizationRepository), config);
    const url = await listenOn(app);
    stopOnSignals(stop, logger);
    return { url: config.PUBLIC_URL ?? url, key, dataDirectory: directory };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startPostgres(directory: string, logger: Logger): Promise<PostgresServer> {
  return PostgresServer.start({ directory, onLog: (line) => logger.debug({ postgres: line }, 'postgres') });
}

/** @param isOurs no other process works on this database, so every lease in it is that of a dead one */
async function prepareDatabase(config: Config, databaseUrl: string, isOurs: boolean): Promise<void> {
  const dataSource = createDataSource({ url: databaseUrl, poolSize: 2, applicationName: 'citewell-migrate' });
  await dataSource.initialize();
  try {
    await migrate(dataSource, async () => {
      if ('postgresUrl' in queueLocation(config, databaseUrl)) await migrateQueue(databaseUrl);
    });
    if (isOurs) await new RunDispatchRepository(dataSource).endAllLeases();
  } finally {
    await dataSource.destroy();
  }
}
