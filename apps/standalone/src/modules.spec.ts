import { ApiModule } from '@citewell/api';
import { loadStandaloneConfig } from '@citewell/config';
import { DataSource } from '@citewell/database';
import { CONFIG, InfrastructureModule, LOGGER } from '@citewell/infrastructure';
import { createLogger } from '@citewell/observability';
import { WorkerCrawlerModule } from '@citewell/worker-crawler';
import { WorkerIndexerModule } from '@citewell/worker-indexer';
import { WorkerParserModule } from '@citewell/worker-parser';
import { describe, expect, it } from '@jest/globals';
import 'reflect-metadata';
import type { DynamicModule, InjectionToken, Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { Test } from '@nestjs/testing';

const config = loadStandaloneConfig();
const logger = createLogger('test', 'fatal');
const { exports: infrastructure = [], imports = [] } = InfrastructureModule.forRoot({
  config,
  app: 'test',
  databaseUrl: '',
  queues: [],
  logger,
});
/** What the root modules provide. */
const provided: readonly unknown[] = [
  ...infrastructure,
  // All are dynamic modules.
  ...(imports as DynamicModule[]).flatMap(({ exports = [] }) => exports),
];
/** Every module of the API alone, and the workers. */
const MODULES = [
  ...((Reflect.getMetadata(MODULE_METADATA.IMPORTS, ApiModule) as Type[] | undefined) ?? []),
  WorkerCrawlerModule,
  WorkerParserModule,
  WorkerIndexerModule,
];

describe('a module declares or imports what its classes need, besides the infrastructure', () => {
  it.each(MODULES.map((module) => [module.name, module] as const))('%s', async (_, module) => {
    const stub = (token?: InjectionToken): unknown => {
      if (token === CONFIG) return config;
      if (token === LOGGER) return logger;
      if (token === DataSource) return { subscribers: [] };
      return provided.includes(token) ? {} : undefined;
    };
    await expect(
      Test.createTestingModule({ imports: [module] })
        .useMocker(stub)
        .compile(),
    ).resolves.toBeDefined();
  });
});
