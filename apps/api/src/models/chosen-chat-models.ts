import type { Config } from '@citewell/config';
import { ownModelAccount, ProviderPauseRepository, type TenantScope } from '@citewell/database';
import {
  CONFIG,
  countModelCalls,
  type ModelConnection,
  ModelConnections,
  openChatModel,
  OwnConnections,
  SettingsPoll,
} from '@citewell/infrastructure';
import { type ChatModel, ModelError, type OnModelCall, OwnModelError } from '@citewell/models';
import { Metrics, withLogContext } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ChosenModel, type OpenChoice } from './chosen-model.js';

/** Models that stay open. Those of other organizations are opened again when they are asked. */
const MAX_OPEN = 1_000;

/** A chat model of the settings. */
class ChosenChatModel extends ChosenModel<ChatModel> {
  constructor(
    connections: ModelConnections,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {
    super('chat', connections);
  }

  open(choice: ModelConnection, onCall?: OnModelCall): ChatModel {
    return openChatModel(choice, this.connections, this.config, countModelCalls(this.metrics, onCall));
  }

  /** A model that fails, so that nobody takes quotes for its answers. */
  unusable({ model }: ModelConnection, failure: ModelError): ChatModel {
    return {
      name: model,
      // oxlint-disable-next-line require-yield
      async *stream() {
        throw failure;
      },
    };
  }
}

/** The chat model of the installation. */
@Injectable()
export class ChatSetting extends ChosenChatModel {
  constructor(
    @Inject(ModelConnections) connections: ModelConnections,
    @Inject(SettingsPoll) private readonly poll: SettingsPoll,
    @Inject(CONFIG) config: Config,
    @Inject(Metrics) metrics: Metrics,
  ) {
    super(connections, config, metrics);
  }

  /** Called by Nest before requests are answered. */
  onModuleInit(): Promise<void> {
    return this.follow(this.poll);
  }
}

/** The own chat model of one organization. */
class OwnChatModel extends ChosenChatModel {
  constructor(
    private readonly organizationId: string,
    ...chosen: ConstructorParameters<typeof ChosenChatModel>
  ) {
    super(...chosen);
  }

  override open(choice: ModelConnection, onCall?: OnModelCall): ChatModel {
    return asOwnModel(super.open(choice, onCall), this.organizationId);
  }

  override unusable(choice: ModelConnection, failure: ModelError): ChatModel {
    return asOwnModel(super.unusable(choice, failure), this.organizationId);
  }
}

/**
 * The chat models that organizations have chosen for themselves. The choice is read from the database for each question:
 * so no process sends a question to the operator's model after an organization has chosen another one, or the other way
 * round.
 */
@Injectable()
export class OwnChatModels {
  private readonly models = new Map<string, OwnChatModel>();

  constructor(
    @Inject(OwnConnections) private readonly connections: OwnConnections,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(ProviderPauseRepository) private readonly pauses: Pick<ProviderPauseRepository, 'remaining'>,
  ) {}

  /** Whether the operator allows own models. */
  get areAllowed(): boolean {
    return this.config.ORGANIZATION_MODELS;
  }

  /**
   * The choice of an organization. Its `problem` is why it cannot be used, or why the last request to it failed.
   *
   * @returns null if the organization has none, or may not have one
   */
  async find(tenant: TenantScope): Promise<OpenChoice<ChatModel> | null> {
    if (!this.areAllowed) return null;
    const setting = await this.connections.find(tenant, 'chat');
    const { organizationId } = tenant;
    if (setting === null) {
      this.models.delete(organizationId);
      return null;
    }
    const model = this.models.get(organizationId) ?? (await this.newModel(tenant));
    this.models.delete(organizationId);
    // The last one of the map was used last.
    this.models.set(organizationId, model);
    const [longestUnused] = this.models.keys();
    if (this.models.size > MAX_OPEN && longestUnused !== undefined) this.models.delete(longestUnused);
    const choice = await model.receive(setting);
    const pauseMs = await this.pauses.remaining(ownModelAccount(organizationId));
    if (pauseMs === 0) return { ...choice, problem: choice.problem ?? model.problem };
    const problem = `An answer of this model blocked the service. The model is paused for ${Math.ceil(pauseMs / 60_000)} minutes.`;
    const failure = new ModelError('transient', problem, { retryAfterMs: pauseMs });
    return { ...choice, opened: model.unusable(choice, failure), problem };
  }

  /** Opens a choice without storing it. @throws ModelError (`permanent`) if the connection is malformed */
  async open(tenant: TenantScope, choice: ModelConnection): Promise<ChatModel> {
    return (await this.newModel(tenant)).open(choice);
  }

  /** The servers that an organization may choose. */
  connectionsOf(tenant: TenantScope): Promise<ModelConnections> {
    return this.connections.of(tenant);
  }

  private async newModel(tenant: TenantScope): Promise<OwnChatModel> {
    const connections = await this.connectionsOf(tenant);
    return new OwnChatModel(tenant.organizationId, connections, this.config, this.metrics);
  }
}

/** Reads what a model says. If that blocks the event loop, an own model is paused. */
export function readingModel<Result>({ owner }: Pick<ChatModel, 'owner'>, read: () => Result): Result {
  return owner === undefined ? read() : withLogContext({ ownModelOf: owner }, read);
}

/** The same model, whose errors are those of an own model. @param owner the organization */
function asOwnModel(model: ChatModel, owner: string): ChatModel {
  return {
    ...model,
    owner,
    async *stream(request, options) {
      try {
        yield* model.stream(request, options);
      } catch (error) {
        throw error instanceof ModelError ? new OwnModelError(error) : error;
      }
    },
  };
}
