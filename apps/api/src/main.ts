import { ConfigError, loadScaledConfig, outgoingHosts } from '@citewell/config';
import { DataSource, OrganizationRepository, schemaIsCurrent, UnknownSchemaError } from '@citewell/database';
import { InfrastructureModule, watchProcess } from '@citewell/infrastructure';
import { createLogger, stopOnUncaughtErrors } from '@citewell/observability';
import { Module } from '@nestjs/common';
import { ApiModule } from './api.module.js';
import { createApi, listenOn } from './create-api.js';
import { ensureFirstOrganization } from './tenancy/organizations/first-organization.js';

const APP = 'api';
/** Answers that were aborted are stored, and connections are closed. */
const STOP_AFTER_GRACE_MS = 10_000;
const NO_SCHEMA = 'The database has no schema, or one of an older release. Run `citewell migrate` first.';

/** Why the API cannot start, in a sentence for its operator. */
class StartError extends Error {}

async function main(): Promise<void> {
  const config = loadScaledConfig();
  const logger = createLogger(APP, config.LOG_LEVEL);
  const infrastructure = InfrastructureModule.forRoot({
    config,
    app: APP,
    databaseUrl: config.DATABASE_URL ?? '',
    queues: [],
    logger,
  });

  @Module({ imports: [infrastructure, ApiModule] })
  class RootModule {}

  watchProcess(APP, config, config.DATABASE_URL ?? '');
  const app = await createApi(RootModule, { config, logger });
  app.enableShutdownHooks([], { useProcessExit: true });
  stopOnUncaughtErrors({
    logger,
    stop: async () => void (await Promise.all([app.getHttpAdapter().close(), app.close()])),
    timeoutMs: config.SHUTDOWN_GRACE_MS + STOP_AFTER_GRACE_MS,
  });
  if (!(await schemaIsCurrent(app.get(DataSource)))) throw new StartError(NO_SCHEMA);
  const key = await ensureFirstOrganization(app.get(OrganizationRepository), config);
  const url = await listenOn(app);
  if (key !== null) process.stdout.write(`The first API key, shown this once: ${key}\n`);
  logger.info({ url, mayConnectTo: outgoingHosts(config) }, 'ready');
}

main().catch((error: unknown) => {
  const isForOperator =
    error instanceof ConfigError || error instanceof StartError || error instanceof UnknownSchemaError;
  process.stderr.write(`${isForOperator ? error.message : `Could not start: ${String(error)}`}\n`);
  process.exit(1);
});
