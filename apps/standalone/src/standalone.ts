import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ApiModule,
  assertPortIsFree,
  createApi,
  createSignInLink,
  ensureFirstOrganization,
  listenOn,
  type SignInLink,
} from '@citewell/api';
import type { Config } from '@citewell/config';
import { QUEUES } from '@citewell/contracts/jobs';
import {
  listen,
  migrate,
  openDatabase,
  OrganizationRepository,
  RunDispatchRepository,
  SITE_PREVIEW_CHANNEL,
} from '@citewell/database';
import { PostgresServer } from '@citewell/database/embedded';
import {
  dataDirectory,
  DiskReserve,
  InfrastructureModule,
  queueLocation,
  watchProcess,
} from '@citewell/infrastructure';
import {
  createLogger,
  FullStorage,
  type Logger,
  Metrics,
  stopOnUncaughtErrors,
} from '@citewell/observability';
import { JobProducer, migrateQueue } from '@citewell/queue';
import { WorkerIndexerModule } from '@citewell/worker-indexer';
import { WorkerParserModule } from '@citewell/worker-parser';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { CrawlerProcess } from './crawler-process.js';
import { endLike } from './supervise-service.js';
import { stopOnSignals } from './stop-on-signals.js';

/** Permissions of group and others. */
const SHARED_PERMISSIONS = 0o077;

const APP = 'standalone';
/**
 * Maximum time of a stop after the grace period. Aborted jobs and answers record their outcome, closing the
 * queues takes up to 2 s, and stopping Postgres takes up to 10 s.
 */
const STOP_AFTER_GRACE_MS = 20_000;

/** In lines of the log of Postgres that tell why it ended. */
const FULL_DISK = 'No space left on device';

export interface RunningStandalone {
  /** Base URL of the service, without `/api`. */
  url: string;
  /** Where the service listens. */
  port: number;
  /** The first API key if this start created it, otherwise null. */
  apiKey: string | null;
  /** Signs a browser in, once. Null if the first organization was deleted. */
  signInLink: SignInLink | null;
  dataDirectory: string;
}

/**
 * Starts the embedded services that have no external address, migrates the schema, and runs the API, the parser and the
 * indexer in this process. The crawler has a process of its own, see `CrawlerProcess`. On SIGINT or SIGTERM the process
 * accepts no new jobs and requests. Jobs and requests in progress share one grace period; then the embedded services
 * stop. An uncaught error stops the process in the same way.
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
  let crawler: StartedCrawler | undefined;
  let stopping: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    // Stop the server and the workers concurrently, so that requests and jobs share one grace period.
    await Promise.all([app?.getHttpAdapter().close(), app?.close(), crawler?.stop()]);
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
      queues: QUEUES.filter((queue) => queue !== 'crawl'),
      logger,
      storage,
    });

    @Module({
      // Nest stops modules in reverse order: the API ends its answers before the workers finish their jobs.
      imports: [infrastructure, WorkerParserModule, WorkerIndexerModule, ApiModule],
    })
    class StandaloneModule {}

    // Before the workers take jobs.
    watchProcess(APP, config, databaseUrl);
    app = await createApi(StandaloneModule, { config, logger });
    crawler = startCrawler(app, { config, databaseUrl, logger });
    const apiKey = await ensureFirstOrganization(app.get(OrganizationRepository), config);
    const url = await listenOn(app);
    stopOnSignals(stop, { timeoutMs, logger });
    const publicUrl = config.PUBLIC_URL ?? url;
    const signInLink = await createSignInLink(app, publicUrl);
    return {
      url: publicUrl,
      port: Number(new URL(url).port || 80),
      apiKey,
      signInLink,
      dataDirectory: directory,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type StartedCrawler = Pick<CrawlerProcess, 'stop'>;

/** Starts the process of the crawler when the dispatcher has added a job for it, or somebody wants a preview of a site. */
function startCrawler(
  app: INestApplicationContext,
  { config, databaseUrl, logger }: { config: Config; databaseUrl: string; logger: Logger },
): StartedCrawler {
  const jobs = app.get(JobProducer);
  const crawler = new CrawlerProcess({
    databaseUrl,
    logger,
    stopTimeoutMs: config.SHUTDOWN_GRACE_MS + STOP_AFTER_GRACE_MS / 2,
    countJobs: async () => (await jobs.depths()).crawl,
    // A test that ends the crawler at a fault point wants the product to end.
    ...(endsAtFault(config) ? { onEnd: endLike } : {}),
  });
  jobs.onAdded('crawl', () => crawler.need());
  const previews = listen(databaseUrl, SITE_PREVIEW_CHANNEL, { onNotify: () => crawler.need() });
  app.get(Metrics).addChild(() => crawler.metrics());
  return { stop: async () => void (await Promise.all([previews.close(), crawler.stop()])) };
}

/** Whether a fault of a test ends a process, rather than block it. */
export function endsAtFault({ CITEWELL_FAULT: fault = '' }: Config): boolean {
  return fault !== '' && !fault.includes(':block');
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
      if (!line.includes(FULL_DISK)) return;
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

/**
 * Creates the data directory if needed, and lets only the user of this process and root read it: the directory, what it
 * already contains, and everything that this process will create.
 */
async function makePrivate(directory: string): Promise<void> {
  process.umask(SHARED_PERMISSIONS);
  await mkdir(directory, { recursive: true });
  // Nobody else can enter a private directory, so its content needs no change.
  if (((await stat(directory)).mode & SHARED_PERMISSIONS) === 0) return;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o700);
    else if (entry.isFile()) await chmod(path, 0o600);
  }
  await chmod(directory, 0o700);
}
