import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { BlobStore } from '@citewell/blob-store';
import { type Config, namedAddresses } from '@citewell/config';
import type { QueueName } from '@citewell/contracts/jobs';
import {
  DataSource,
  ModelSettingRepository,
  OrganizationRepository,
  SourceSecretRepository,
} from '@citewell/database';
import { DatabaseModule } from '@citewell/database/module';
import {
  createLogger,
  FaultPoints,
  FullStorage,
  type Logger,
  Metrics,
  startTelemetry,
  type Telemetry,
} from '@citewell/observability';
import { QueueModule } from '@citewell/queue';
import type { VectorStore } from '@citewell/vector-store';
import { restrictToHosts } from '@citewell/web/remote-fetch';
import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { countModelCalls, ModelConnections, OwnConnections } from './model-connections.js';
import { EmbeddingModels } from './embedding-models.js';
import { openEmbeddingModels } from './open-embedding-models.js';
import { openBlobStore, openVectorStore, queueLocation } from './engines.js';
import { PictureModels } from './picture-models.js';
import { Secrets } from './secrets/secrets.js';
import { SourceConnections } from './source-connections.js';
import { SettingsPoll } from './settings-poll.js';

/** Injection tokens for interfaces and values, which cannot be injected by class. */
export const CONFIG = Symbol('Config');
export const LOGGER = Symbol('Logger');
export const BLOB_STORE = Symbol('BlobStore');
export const VECTOR_STORE = Symbol('VectorStore');
/** See `Spaces`. */
export const SPACES = Symbol('Spaces');
/** Unique name of this process, in leases and in the table of workers. */
export const PROCESS_NAME = Symbol('ProcessName');
/** See `startTelemetry`. */
const TELEMETRY = Symbol('Telemetry');
export const DATABASE_URL = Symbol('DatabaseUrl');

export interface InfrastructureOptions {
  config: Config;
  /** Name of the app in logs, metrics and leases. */
  app: string;
  databaseUrl: string;
  /** The queues that this process takes jobs from. */
  queues: readonly QueueName[];
  /** Default: a new logger with the level of the configuration. */
  logger?: Logger;
  /** Default: a new one, without a watched disk. */
  storage?: FullStorage;
}

/**
 * Opens the configured engines once per process and provides them globally. With `OFFLINE`, restricts the process to its hosts. Apps must stop their work in
 * `beforeApplicationShutdown`, because this module closes the engines in `onApplicationShutdown`.
 */
@Module({})
export class InfrastructureModule implements OnApplicationShutdown {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(VECTOR_STORE) private readonly vectorStore: VectorStore,
    @Inject(BLOB_STORE) private readonly blobStore: BlobStore,
    @Inject(TELEMETRY) private readonly telemetry: Telemetry,
  ) {}

  static forRoot({
    config,
    app,
    databaseUrl,
    queues,
    logger,
    storage,
  }: InfrastructureOptions): DynamicModule {
    restrictToHosts(config.OFFLINE ? namedAddresses(config).map(({ hostname }) => hostname) : null);
    const processName = `${app}-${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
    const database = DatabaseModule.forRoot({
      url: databaseUrl,
      poolSize: config.DATABASE_POOL_SIZE,
      applicationName: `citewell-${app}`,
      owner: processName,
      leaseSeconds: config.LEASE_SECONDS,
    });
    const providers: Provider[] = [
      { provide: CONFIG, useValue: config },
      { provide: DATABASE_URL, useValue: databaseUrl },
      { provide: LOGGER, useValue: logger ?? createLogger(app, config.LOG_LEVEL) },
      { provide: PROCESS_NAME, useValue: processName },
      { provide: Metrics, useFactory: () => new Metrics(app) },
      {
        provide: TELEMETRY,
        useFactory: (metrics: Metrics, log: Logger) =>
          startTelemetry(app, config.OTEL_EXPORTER_OTLP_ENDPOINT, metrics, log),
        inject: [Metrics, LOGGER],
      },
      { provide: Secrets, useFactory: () => new Secrets(config) },
      {
        provide: SourceConnections,
        useFactory: (secrets: Secrets, stored: SourceSecretRepository) =>
          new SourceConnections(secrets, stored, config),
        inject: [Secrets, SourceSecretRepository],
      },
      { provide: FullStorage, useFactory: () => storage ?? new FullStorage() },
      { provide: FaultPoints, useFactory: () => new FaultPoints(config.CITEWELL_FAULT) },
      { provide: VECTOR_STORE, useFactory: () => openVectorStore(config, { setsDamagedFileAside: true }) },
      {
        provide: BLOB_STORE,
        useFactory: (dataSource: DataSource) => openBlobStore(config, dataSource),
        inject: [DataSource],
      },
      ...(queues.length === 1 && queues[0] === 'crawl' ? [] : modelProviders(config)),
    ];
    return {
      module: InfrastructureModule,
      global: true,
      imports: [database, QueueModule.forRoot({ location: queueLocation(config, databaseUrl), queues })],
      providers,
      exports: providers.map(tokenOf),
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.vectorStore.close();
    await this.blobStore.close();
    await this.dataSource.destroy();
    await this.telemetry.stop();
  }
}

/** The models of the operator and of organizations. A crawler uses none, and gets no key. */
function modelProviders(config: Config): Provider[] {
  return [
    {
      provide: SettingsPoll,
      useFactory: (settings: ModelSettingRepository, log: Logger) => new SettingsPoll(settings, log),
      inject: [ModelSettingRepository, LOGGER],
    },
    {
      provide: ModelConnections,
      useFactory: (settings: ModelSettingRepository, secrets: Secrets, poll: SettingsPoll) =>
        new ModelConnections(settings, secrets, poll, config),
      inject: [ModelSettingRepository, Secrets, SettingsPoll],
    },
    {
      provide: OwnConnections,
      useFactory: (
        settings: ModelSettingRepository,
        organizations: OrganizationRepository,
        secrets: Secrets,
      ) => new OwnConnections(settings, organizations, secrets, config),
      inject: [ModelSettingRepository, OrganizationRepository, Secrets],
    },
    {
      provide: EmbeddingModels,
      useFactory: (
        metrics: Metrics,
        settings: ModelSettingRepository,
        poll: SettingsPoll,
        connections: ModelConnections,
        log: Logger,
      ) => {
        const onCall = countModelCalls(metrics);
        return openEmbeddingModels(config, { onCall, settings, poll, connections, logger: log });
      },
      inject: [Metrics, ModelSettingRepository, SettingsPoll, ModelConnections, LOGGER],
    },
    { provide: SPACES, useExisting: EmbeddingModels },
    {
      provide: PictureModels,
      useFactory: (metrics: Metrics, settings: ModelSettingRepository, connections: ModelConnections) =>
        new PictureModels(settings, connections, config, countModelCalls(metrics)),
      inject: [Metrics, ModelSettingRepository, ModelConnections],
    },
  ];
}

function tokenOf(provider: Provider) {
  return typeof provider === 'function' ? provider : provider.provide;
}
