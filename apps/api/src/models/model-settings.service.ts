import type {
  ChatSettings,
  ChooseChatModel,
  ChooseEmbeddingModel,
  EmbeddingSettings,
  ModelTest,
} from '@citewell/contracts/schemas';
import { OrganizationRepository, type TenantScope } from '@citewell/database';
import {
  type ModelConnection,
  type ModelConnections,
  type ModelKind,
  PictureModels,
  type StoredConnection,
} from '@citewell/infrastructure';
import { type ChatModel, type ModelError, sentenceForOperator } from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../http/api-error.js';
import { ChatSetting, OwnChatModels } from './chosen-chat-models.js';
import { ConnectionSettings, nameOfLocal } from './connection-settings.js';
import { EmbeddingSetting } from './embedding-setting.js';
import {
  dimensionsOf,
  ModelTests,
  scoresOf,
  type TestOutcome,
  untested,
  wrongField,
} from './model-tests.service.js';
import { type Reranker, RerankSetting } from './rerank-models.js';

/** The models of the server by kind, and the chat model that an organization chooses for itself. */
type SettingName = ModelKind | 'ownChat';

/** Sends a request to a model. */
type SendTest = () => Promise<TestOutcome>;

interface Setting {
  readonly kind: ModelKind;
  /** Who may choose and test the model. @throws {@link ApiError} `FORBIDDEN` */
  readonly assertAllowed: (tenant: TenantScope) => Promise<void>;
  /** The servers that may be chosen. */
  readonly connections: (tenant: TenantScope) => ModelConnections | Promise<ModelConnections>;
  /** The stored choice. Null if nothing is chosen. */
  readonly current: (tenant: TenantScope) => Promise<StoredConnection | null>;
  /**
   * Opens a choice without storing it.
   *
   * @returns sends a request to the model
   * @throws ModelError (`permanent`) if the connection is malformed
   */
  readonly open: (tenant: TenantScope, choice: ModelConnection) => SendTest | Promise<SendTest>;
  /** Called when a choice has been stored. */
  readonly onChosen?: (tenant: TenantScope, choice: ModelConnection) => Promise<void>;
}

/** The models of the server that can be chosen in the settings. */
@Injectable()
export class ServerModels {
  constructor(
    @Inject(ChatSetting) readonly chat: ChatSetting,
    @Inject(EmbeddingSetting) readonly embedding: EmbeddingSetting,
    @Inject(RerankSetting) readonly rerank: RerankSetting,
    @Inject(PictureModels) readonly pictures: PictureModels,
  ) {}
}

/** Shows, chooses, removes and tests the settings of models. A choice is for all processes. */
@Injectable()
export class ModelSettingsService {
  private readonly settings: Readonly<Record<SettingName, Setting>>;

  constructor(
    @Inject(ServerModels) private readonly server: ServerModels,
    @Inject(OwnChatModels) ownChat: OwnChatModels,
    @Inject(ModelTests) private readonly tests: ModelTests,
    @Inject(OrganizationRepository) organizations: OrganizationRepository,
  ) {
    const { chat, embedding, rerank, pictures } = server;
    const ofServer = {
      assertAllowed: (tenant: TenantScope) => assertOperator(organizations, tenant),
      connections: () => chat.connections,
    };
    const testOf = (tenant: TenantScope, model: ChatModel) => () => tests.chat(tenant, model);
    this.settings = {
      chat: {
        kind: 'chat',
        ...ofServer,
        current: async () => chat.current,
        open: (tenant, choice) => testOf(tenant, chat.open(choice)),
      },
      ownChat: {
        kind: 'chat',
        assertAllowed: async () => assertOwnAllowed(ownChat),
        connections: (tenant) => ownChat.connectionsOf(tenant),
        current: (tenant) => ownChat.find(tenant),
        open: async (tenant, choice) => testOf(tenant, await ownChat.open(tenant, choice)),
      },
      pictures: {
        kind: 'pictures',
        ...ofServer,
        current: () => pictures.chosen(),
        open: (tenant, choice) => {
          const model = pictures.open(choice);
          return () => tests.picture(tenant, model);
        },
      },
      embedding: {
        kind: 'embedding',
        ...ofServer,
        current: () => embedding.server(),
        open: (tenant, choice) => {
          const open = embedding.open(choice);
          const call = async (signal: AbortSignal) => dimensionsOf(await open(signal), signal);
          return () => tests.run(tenant, choice.model, call);
        },
        onChosen: async () => embedding.models.repeatFailed(),
      },
      rerank: {
        kind: 'rerank',
        ...ofServer,
        current: async () => {
          const { current, problem } = rerank;
          return current?.provider === 'local' ? { ...current, problem } : current;
        },
        open: (tenant, choice) => {
          const opened = rerank.open(choice);
          return () => this.testReranker(tenant, choice, opened);
        },
        onChosen: async (tenant, { provider }) => {
          // A local model is prepared at once, not at the next question.
          if (provider === 'local') await rerank.current?.opened.modelOf(tenant);
        },
      },
    };
  }

  /** @throws {@link ApiError} `FORBIDDEN` */
  async get(name: SettingName, tenant: TenantScope): Promise<ChatSettings> {
    await this.settings[name].assertAllowed(tenant);
    return this.show(name, tenant);
  }

  /**
   * Chooses a model of a provider, after a test. A local model is not tested: it may have to be downloaded first.
   *
   * @throws {@link ApiError} `FORBIDDEN`, `CONFLICT` if the environment decides or a key cannot be stored, `INVALID_REQUEST` also if the model fails
   */
  async choose(name: SettingName, tenant: TenantScope, body: ChooseChatModel): Promise<ChatSettings> {
    const connections = await this.changeable(name, tenant);
    const { connection, opened: sendRequest } = await this.check(name, tenant, body);
    const isTested = body.test !== false && connection.provider !== 'local';
    const failure = isTested ? (await sendRequest()).failure : null;
    if (failure) throw refusedChoice(failure);
    await connections.store(connection);
    await this.settings[name].onChosen?.(tenant, connection);
    return this.show(name, tenant);
  }

  /**
   * Removes a choice: answers consist of quotes or are those of the server's model, and passages keep the order of the search.
   *
   * @throws {@link ApiError} `FORBIDDEN`, `CONFLICT`
   */
  async remove(name: SettingName, tenant: TenantScope): Promise<ChatSettings> {
    // An organization may remove what it stored while own models were allowed.
    const connections =
      name === 'ownChat' ? await this.connectionsOf(name, tenant) : await this.changeable(name, tenant);
    await connections.remove();
    return this.show(name, tenant);
  }

  /** Tests a choice without storing it. @throws {@link ApiError} as {@link choose} */
  async test(name: SettingName, tenant: TenantScope, body: ChooseChatModel): Promise<ModelTest> {
    await this.settings[name].assertAllowed(tenant);
    const { opened: sendRequest } = await this.check(name, tenant, body);
    return (await sendRequest()).shown;
  }

  /** The embedding model, and how far the documents have followed it. @throws {@link ApiError} `FORBIDDEN` */
  async getEmbedding(tenant: TenantScope): Promise<EmbeddingSettings> {
    const server = await this.get('embedding', tenant);
    return { ...(await this.server.embedding.progress()), server };
  }

  /**
   * Chooses the built-in model or a local one. It is prepared in the background, and documents follow one by one.
   *
   * @throws {@link ApiError} as {@link choose}
   */
  async chooseLocalEmbedding(
    tenant: TenantScope,
    { name }: ChooseEmbeddingModel,
  ): Promise<EmbeddingSettings> {
    const connections = await this.changeable('embedding', tenant);
    if (name !== 'builtin') await connections.checkLocal(name, 'name');
    await this.server.embedding.models.choose(name);
    return this.getEmbedding(tenant);
  }

  /**
   * Chooses a model of a server. Documents follow in the background, unless only address or key have changed.
   *
   * @throws {@link ApiError} as {@link choose}
   */
  async chooseEmbeddingServer(tenant: TenantScope, body: ChooseChatModel): Promise<EmbeddingSettings> {
    await this.choose('embedding', tenant, body);
    return this.getEmbedding(tenant);
  }

  private async changeable(name: SettingName, tenant: TenantScope): Promise<ConnectionSettings> {
    await this.settings[name].assertAllowed(tenant);
    const connections = await this.connectionsOf(name, tenant);
    connections.assertNotFixed();
    return connections;
  }

  private async show(name: SettingName, tenant: TenantScope): Promise<ChatSettings> {
    const connections = await this.connectionsOf(name, tenant);
    return connections.show(await this.settings[name].current(tenant));
  }

  private async check(name: SettingName, tenant: TenantScope, body: ChooseChatModel) {
    const { current, open } = this.settings[name];
    const connections = await this.connectionsOf(name, tenant);
    return connections.check(body, await current(tenant), (choice) => open(tenant, choice));
  }

  private async connectionsOf(name: SettingName, tenant: TenantScope): Promise<ConnectionSettings> {
    const { kind, connections } = this.settings[name];
    return new ConnectionSettings(kind, await connections(tenant));
  }

  private async testReranker(
    tenant: TenantScope,
    { provider, model: name }: ModelConnection,
    opened: Reranker,
  ): Promise<TestOutcome> {
    if (provider === 'local') return this.testLocalReranker(tenant, nameOfLocal(name));
    const model = await opened.modelOf(tenant);
    if (model === null) return untested('No chat model is configured.');
    return this.tests.run(tenant, name || provider, (signal) => scoresOf(model, signal));
  }

  /** A test does not wait for a download. */
  private async testLocalReranker(tenant: TenantScope, name: string): Promise<TestOutcome> {
    if (!(await this.server.rerank.isStored(name)))
      return untested('The model is not stored on the server yet. It is downloaded when it is chosen.');
    return this.tests.run(tenant, name, async (signal) => {
      const model = await this.server.rerank.openLocal(name, signal);
      try {
        return await scoresOf(model, signal);
      } finally {
        await model.close();
      }
    });
  }
}

/**
 * The models belong to the server, which all organizations share. Administrators of its first organization choose and test them.
 *
 * @throws {@link ApiError} `FORBIDDEN`
 */
export async function assertOperator(
  organizations: OrganizationRepository,
  { organizationId }: TenantScope,
): Promise<void> {
  if ((await organizations.first())?.id === organizationId) return;
  throw new ApiError('FORBIDDEN', 'Only the first organization of the server chooses and tests its models.');
}

/** The error for a model that fails its test. */
function refusedChoice(failure: ModelError): ApiError {
  const message = sentenceForOperator(failure);
  return new ApiError('INVALID_REQUEST', message, { details: [{ path: wrongField(failure), message }] });
}

function assertOwnAllowed({ areAllowed }: OwnChatModels): void {
  if (areAllowed) return;
  throw new ApiError(
    'FORBIDDEN',
    'Organizations cannot choose models of their own. The operator can allow it with the variable ORGANIZATION_MODELS.',
  );
}
