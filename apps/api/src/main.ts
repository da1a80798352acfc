import { ConfigError, loadScaledConfig } from '@citewell/config';
import { DataSource, OrganizationRepository, schemaIsCurrent } from '@citewell/database';
import { InfrastructureModule } from '@citewell/infrastructure';
import { createLogger } from '@citewell/observability';
import { Module } from '@nestjs/common';
import { ApiModule } from './api.module.js';
import { createApi, listenOn } from './create-api.js';
import { ensureFirstOrganization } from './organizations/first-organization.js';

const APP = 'api';
const OUTDATED_SCHEMA =
  'The database has no schema, or one of an older release. Run `citewell migrate` first.';

/** The message is a sentence for the operator. */
class StartError extends Error {}

async function main(): Promise<void> {
  const config = loadScaledConfig();
  const logger = createLogger(APP, config.LOG_LEVEL);
  const infrastructure = InfrastructureModule.forRoot({
    config,
    app: APP,
    databaseUrl: config.DATABASE_URL ?? '',
    workers: 0,
    logger,
  });

  @Module({ imports: [infrastructure, ApiModule] })
  class RootModule {}

  const app = await createApi(RootModule, { config, logger });
  app.enableShutdownHooks([], { useProcessExit: true });
  if (!(await schemaIsCurrent(app.get(DataSource)))) throw new StartError(OUTDATED_SCHEMA);
  const key = await ensureFirstOrganization(app.get(OrganizationRepository), config);
  const url = await listenOn(app);
  if (key !== null) process.stdout.write(`The first API key, shown this once: ${key}\n`);
  logger.info({ url }, 'ready');
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof ConfigError || error instanceof StartError ? error.message : `Could not start: ${String(error)}`}\n`,
  );
  process.exit(1);
});
