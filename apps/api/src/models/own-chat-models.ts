import type { Config } from '@citewell/config';
import { ownModelAccount, ProviderPauseRepository, type TenantScope } from '@citewell/database';
import { CONFIG, type ModelConnection, OwnConnections } from '@citewell/infrastructure';
import { type ChatModel, ModelError, type OnModelCall } from '@citewell/models';
import { Metrics } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { type ChatContext, failingChat, openChosenChat } from './chat-connection.js';
import { ChosenModel, type OpenChoice } from './chosen-model.js';
import { asOwnModel } from './own-model.js';

/** Models that stay open. Those of other organizations are opened again when they are asked. */
const MAX_OPEN = 1_000;

/** An own chat model. */
export interface OwnChat {
  readonly choice: OpenChoice<ChatModel>;
  /** Why it cannot be used, or why the last request to it failed. Null if it works. */
  readonly problem: string | null;
}

/** The own chat model of one organization. */
class OwnChatModel extends ChosenModel<ChatModel> {
  constructor(
    private readonly context: ChatContext,
    private readonly organizationId: string,
  ) {
    super('chat', context.connections);
  }

  open(choice: ModelConnection, onCall?: OnModelCall): ChatModel {
    return asOwnModel(openChosenChat(this.context, choice, onCall), this.organizationId);
  }

  unusable(choice: ModelConnection, failure: ModelError): ChatModel {
    return asOwnModel(failingChat(choice, failure), this.organizationId);
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

  /** The choice of an organization. Null if it has none, or may not have one. */
  async find(tenant: TenantScope): Promise<OwnChat | null> {
    if (!this.areAllowed) return null;
    const setting = await this.connections.find(tenant, 'chat');
    const { organizationId } = tenant;
    const model = this.models.get(organizationId) ?? this.newModel(tenant);
    this.models.delete(organizationId);
    if (setting === null) return null;
    // The last one of the map was used last.
    this.models.set(organizationId, model);
    const [longestUnused] = this.models.keys();
    if (this.models.size > MAX_OPEN && longestUnused !== undefined) this.models.delete(longestUnused);
    const choice = await model.receive(setting);
    const pauseMs = await this.pauses.remaining(ownModelAccount(organizationId));
    if (pauseMs === 0) return { choice, problem: choice.problem ?? model.problem };
    const problem = `An answer of this model blocked the service. The model is paused for ${Math.ceil(pauseMs / 60_000)} minutes.`;
    const failure = new ModelError('transient', problem, { retryAfterMs: pauseMs });
    return { choice: { ...choice, opened: model.unusable(choice, failure) }, problem };
  }

  /** Opens a choice without storing it. @throws ModelError (`permanent`) if the connection is malformed */
  open(tenant: TenantScope, choice: ModelConnection): ChatModel {
    return this.newModel(tenant).open(choice);
  }

  private newModel(tenant: TenantScope): OwnChatModel {
    const { config, metrics } = this;
    return new OwnChatModel(
      { connections: this.connections.of(tenant), config, metrics },
      tenant.organizationId,
    );
  }
}
