import 'reflect-metadata';
import { createServer, type Server } from 'node:http';
import { type Config, ConfigError, loadScaledConfig } from '@citewell/config';
import type { QueueName } from '@citewell/contracts/jobs';
import { DataSource, schemaIsCurrent } from '@citewell/database';
import {
  BLOB_STORE,
  InfrastructureModule,
  LOGGER,
  NestLogger,
  VECTOR_STORE,
  watchProcess,
} from '@citewell/infrastructure';
import {
  checkReadiness,
  createLogger,
  FullStorage,
  type Logger,
  Metrics,
  type ReadinessCheck,
  stopOnUncaughtErrors,
} from '@citewell/observability';
import { QueueConnection } from '@citewell/queue';
import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/** Aborted jobs record their outcome, and the queues are closed. */
const STOP_AFTER_GRACE_MS = 10_000;

/**
 * Runs a worker as a process until SIGTERM or SIGINT.
 *
 * @param app names the process in logs, metrics and leases
 * @param queues that it takes jobs from
 * @param config default: that of an app whose engines are servers
 */
export async function runWorkerApp(
  app: string,
  queues: readonly QueueName[],
  workerModule: Type,
  config: Config = readConfig(),
): Promise<INestApplicationContext> {
  const logger = createLogger(app, config.LOG_LEVEL);
  const databaseUrl = config.DATABASE_URL ?? '';

  @Module({
    imports: [InfrastructureModule.forRoot({ config, app, databaseUrl, queues, logger }), workerModule],
  })
  class WorkerAppModule {}

  // Before it takes jobs.
  watchProcess(app, config, databaseUrl);
  const context = await NestFactory.createApplicationContext(WorkerAppModule, {
    logger: new NestLogger(logger),
    abortOnError: false,
  }).catch((error: unknown) => {
    logger.fatal({ err: error }, 'could not start');
    process.exit(1);
  });
  // Exit with code 0 and not by the signal: a requested stop is not a failure.
  context.enableShutdownHooks([], { useProcessExit: true });
  stopOnUncaughtErrors({
    logger,
    stop: () => context.close(),
    timeoutMs: config.SHUTDOWN_GRACE_MS + STOP_AFTER_GRACE_MS,
  });
  if (config.WORKER_PORT !== 0) serveOperations(context, config);
  context.get<Logger>(LOGGER).info('ready');
  return context;
}

function readConfig(): Config {
  try {
    return loadScaledConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Serves `/health/live`, `/health/ready` and `/metrics`. */
function serveOperations(context: INestApplicationContext, config: Config): Server {
  const metrics = context.get(Metrics);
  const checks = readinessChecks(context);
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      switch (request.url ?? '') {
        case '/health/live':
          response.end('{"status":"live"}');
          return;
        case '/health/ready': {
          const readiness = await checkReadiness(checks, context.get(FullStorage));
          response.writeHead(readiness.ready ? 200 : 503, { 'content-type': 'application/json' });
          response.end(JSON.stringify(readiness));
          return;
        }
        case '/metrics':
          response.writeHead(200, { 'content-type': metrics.contentType });
          response.end(await metrics.render());
          return;
        default:
          response.writeHead(404).end();
      }
    };
    answer().catch(() => response.writeHead(500).end());
  });
  server.listen(config.WORKER_PORT, config.HOST);
  server.unref();
  return server;
}

/** Checks of everything that a process needs to work, by name. */
export function readinessChecks(
  context: Pick<INestApplicationContext, 'get'>,
): Record<string, ReadinessCheck> {
  const dataSource = context.get(DataSource);
  return {
    database: async () => {
      await dataSource.query('SELECT 1');
    },
    schema: async () => {
      if (!(await schemaIsCurrent(dataSource)))
        throw new Error('The database schema is older than this release. Run the migrations.');
    },
    queue: () => context.get(QueueConnection).ping(),
    vectors: () => context.get<{ ping(): Promise<void> }>(VECTOR_STORE).ping(),
    blobs: () => context.get<{ ping(): Promise<void> }>(BLOB_STORE).ping(),
  };
}
