import type { ChooseEmbeddingServer, EmbeddingSettings, ModelTest } from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import {
  countModelCalls,
  EmbeddingModels,
  type ModelConnection,
  ModelConnections,
  openEmbeddingServer,
  requireEmbeddingServer,
  type StoredConnection,
} from '@citewell/infrastructure';
import { isEmbeddingProvider } from '@citewell/models';
import { Metrics } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionSettings } from './connection-settings.js';
import { ModelTests } from './model-tests.service.js';
import { dimensionsOf } from './sample.js';
import { EMBEDDING_RULES } from './setting-rules.js';

/** Embedding models of servers, as choices of the installation. */
@Injectable()
export class EmbeddingServersService {
  constructor(
    @Inject(EmbeddingModels) private readonly models: EmbeddingModels,
    @Inject(ConnectionSettings) private readonly settings: ConnectionSettings,
    @Inject(ModelConnections) private readonly connections: ModelConnections,
    @Inject(ModelTests) private readonly tests: ModelTests,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {}

  async show(): Promise<EmbeddingSettings['server']> {
    const server = await this.chosen();
    const isSetting = this.models.chosenBy === 'setting';
    return this.settings.show(
      EMBEDDING_RULES,
      isSetting && server === null ? 'default' : this.models.chosenBy,
      server,
    );
  }

  /** @throws {@link ApiError} `CONFLICT` if the environment decides or a key cannot be stored, `INVALID_REQUEST` */
  async choose(body: ChooseEmbeddingServer): Promise<void> {
    await this.settings.store('embedding', await this.check(body));
    this.models.repeatFailed();
  }

  /** Tests a choice without storing it. @throws {@link ApiError} as {@link choose} */
  async test(tenant: TenantScope, body: ChooseEmbeddingServer): Promise<ModelTest> {
    const connection = await this.check(body);
    return this.tests.run(tenant, connection.model, async (signal) => {
      const onCall = countModelCalls(this.metrics);
      const model = await openEmbeddingServer(this.connections, connection, { signal, onCall });
      return { dimensions: await dimensionsOf(model, signal) };
    });
  }

  private async check(body: ChooseEmbeddingServer): Promise<ModelConnection> {
    const checked = await this.settings.check(EMBEDDING_RULES, body, await this.chosen(), (connection) =>
      requireEmbeddingServer(this.connections, connection),
    );
    return checked.connection;
  }

  /** Null if the choice is not a model of a server. */
  private async chosen(): Promise<StoredConnection | null> {
    const { choice, chosenBy } = this.models;
    if (chosenBy !== 'setting') return null;
    const server = await this.connections.read('embedding', choice);
    return isEmbeddingProvider(server.provider) ? server : null;
  }
}
