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
 * What stopping may take beyond the grace time: jobs and answers that were broken off then write down how they ended,
 * queues get 2 s to say good-bye, and Postgres 10 s.
 */
const BEYOND_GRACE_MS = 20_000;

/**
 * Starts what is not given from outside, brings the schema up to date, and runs the API and the three workers in
 * this process. On SIGINT or SIGTERM nothing new is taken, and what is under way has one grace time, all of it the
 * same; then the engines go.
 */
export async function startStandalone(config: Config): Promise<Running> {
  await assertPortIsFree(config);
  const logger = createLogger(APP, config.LOG_LEVEL);
  const directory = dataDirectory(config);
  await mkdir(directory, { recursive: true, mode: 0o755 });

  const postgres = config.DATABASE_URL === undefined ? await startPostgres(directory, logger) : null;
  let app: Awaited<ReturnType<typeof createApi>> | undefined;
  const stop = async (): Promise<void> => {
    // Requests have the same grace time as jobs, not one after it: the server takes no new ones from now on.
    await Promise.all([app?.getHttpAdapter().close(), app?.close()]);
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
      // They are told to stop from the last to the first: answers, before workers are waited for.
      imports: [infrastructure, WorkerCrawlerModule, WorkerParserModule, WorkerIndexerModule, ApiModule],
    })
    class StandaloneModule {}

    app = await createApi(StandaloneModule, { config, logger });
    const key = await ensureFirstOrganization(app.get(OrganizationRepository), config);
    const url = await listenOn(app);
    stopOnSignals(stop, { patienceMs: config.SHUTDOWN_GRACE_MS + BEYOND_GRACE_MS, logger });
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
