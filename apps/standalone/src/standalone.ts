import {
  ApiModule,
  assertPortIsFree,
  createApi,
  createSignInLink,
  ensureFirstOrganization,
  listenOn,
} from '@citewell/api';
import type { Config } from '@citewell/config';
import { QUEUES } from '@citewell/contracts/jobs';
import { openDatabase, migrate, OrganizationRepository, RunDispatchRepository } from '@citewell/database';
import { PostgresServer } from '@citewell/database/embedded';
import { dataDirectory, DiskReserve, InfrastructureModule, queueLocation } from '@citewell/infrastructure';
import { createLogger, FullStorage, type Logger, stopOnUncaughtErrors } from '@citewell/observability';
import { migrateQueue } from '@citewell/queue';
import { WorkerCrawlerModule } from '@citewell/worker-crawler';
import { WorkerIndexerModule } from '@citewell/worker-indexer';
import { WorkerParserModule } from '@citewell/worker-parser';
import { Module } from '@nestjs/common';
import { makePrivate } from './make-private.js';
import { stopOnSignals } from './stop-on-signals.js';

const APP = 'standalone';
/**
 * Maximum time of a stop after the grace period. Aborted jobs and answers record their outcome, closing the
 * queues takes up to 2 s, and stopping Postgres takes up to 10 s.
 */
const STOP_AFTER_GRACE_MS = 20_000;

/** Lines of the log of Postgres. */
const STOPPED_BY_FULL_DISK = /(?:PANIC|FATAL): .*No space left on device/;

export interface RunningStandalone {
  /** Base URL of the service, without `/api`. */
  url: string;
  /** The first API key if this start created it, otherwise null. */
  apiKey: string | null;
  /** Signs a browser in, once. Null if the first organization was deleted. */
  signInLink: string | null;
  dataDirectory: string;
}

/**
 * Starts the embedded services that have no external address, migrates the schema, and runs the API and the
 * three workers in this process. On SIGINT or SIGTERM the process accepts no new jobs and requests. Jobs and
 * requests in progress share one grace period; then the embedded services stop. An uncaught error stops the process in
 * the same way.
 */
export async function startStandalone(config: Config): Promise<RunningStandalone> {
  await assertPortIsFree(config);
  const logger = createLogger(APP, config.LOG_LEVEL);
  const directory = dataDirectory(config);
  await makePrivate(directory);

  const storage = new FullStorage();
  const reserve = new DiskReserve(directory, storage, logger);
  // Before Postgres, which cannot start on a full disk.
  reserve.start();
  reserve.releaseIfLow();
  const postgres =
    config.DATABASE_URL === undefined ? await startPostgres(directory, { logger, reserve }) : null;
  let app: Awaited<ReturnType<typeof createApi>> | undefined;
  let stopping: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    // Stop the server and the workers concurrently, so that requests and jobs share one grace period.
    await Promise.all([app?.getHttpAdapter().close(), app?.close()]);
    await postgres?.stop();
    reserve.stop();
  };
  // A signal can arrive while an uncaught error stops the process.
  const stop = (): Promise<void> => (stopping ??= stopAll());
  const timeoutMs = config.SHUTDOWN_GRACE_MS + STOP_AFTER_GRACE_MS;
  stopOnUncaughtErrors({ logger, stop, timeoutMs });
  try {
    const databaseUrl = config.DATABASE_URL ?? postgres?.url ?? '';
    await prepareDatabase(config, databaseUrl, postgres !== null);
    const infrastructure = InfrastructureModule.forRoot({
      config,
      app: APP,
      databaseUrl,
      queues: QUEUES,
      logger,
      storage,
    });

    @Module({
      // Nest stops modules in reverse order: the API ends its answers before the workers finish their jobs.
      imports: [infrastructure, WorkerCrawlerModule, WorkerParserModule, WorkerIndexerModule, ApiModule],
    })
    class StandaloneModule {}

    app = await createApi(StandaloneModule, { config, logger });
    const apiKey = await ensureFirstOrganization(app.get(OrganizationRepository), config);
    const url = await listenOn(app);
    stopOnSignals(stop, { timeoutMs, logger });
    const publicUrl = config.PUBLIC_URL ?? url;
    const signInLink = await createSignInLink(app, publicUrl);
    return { url: publicUrl, apiKey, signInLink, dataDirectory: directory };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startPostgres(
  directory: string,
  { logger, reserve }: { logger: Logger; reserve: DiskReserve },
): Promise<PostgresServer> {
  return PostgresServer.start({
    directory,
    onLog: (line) => {
      logger.debug({ postgres: line }, 'postgres');
      // Without space for its log, Postgres ends. It needs some to start again.
      if (!STOPPED_BY_FULL_DISK.test(line)) return;
      reserve.check();
      reserve.releaseIfLow();
    },
  });
}

/**
 * @param isExclusive no other process uses this database, so
 * every lease in it belongs to a process that ended
 */
async function prepareDatabase(config: Config, databaseUrl: string, isExclusive: boolean): Promise<void> {
  const dataSource = await openDatabase({
    url: databaseUrl,
    poolSize: 2,
    applicationName: 'citewell-migrate',
  });
  try {
    await migrate(dataSource, async () => {
      if ('postgresUrl' in queueLocation(config, databaseUrl)) await migrateQueue(databaseUrl);
    });
    if (isExclusive) await new RunDispatchRepository(dataSource).takeBackAllWork();
  } finally {
    await dataSource.destroy();
  }
}
