import type { Config } from '@citewell/config';
import { type ChatModelInfo, type ModelName, modelNameSchema } from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { chatOptionsOf, CONFIG, countModelCalls, ModelConnections } from '@citewell/infrastructure';
import {
  CHAT_PROVIDERS,
  type ChatModel,
  createChatModel,
  parseChatModelName,
  resolveModelName,
  sentenceForOperator,
} from '@citewell/models';
import { Metrics } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ChatSetting, OwnChatModels } from './chosen-chat-models.js';

/** Every agent has a name of a model, and this one if nobody has chosen another. */
export const MODEL_OF_NEW_AGENTS: ModelName = 'gpt_3_5_turbo';

/** Maps the model names of the interface to models of the providers. Opens each model once. */
@Injectable()
export class ChatModels {
  private readonly models = new Map<string, ChatModel>();
  /** Models whose last request failed, with what the operator should know. */
  private readonly failures = new Map<string, string>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(ChatSetting) private readonly setting: ChatSetting,
    @Inject(ModelConnections) private readonly connections: ModelConnections,
    @Inject(OwnChatModels) private readonly own: OwnChatModels,
  ) {
    // A missing package or a malformed address must stop the start, not the first answer.
    for (const name of modelNameSchema.options) this.get(name);
  }

  /** The model for a name; null when none is configured, and answers quote passages instead. */
  get(name: ModelName): ChatModel | null {
    const model = this.resolve(name);
    return model === null ? (this.setting.current?.opened ?? null) : this.open(model);
  }

  /**
   * The model that answers questions of an organization. Its own one stands for all names but those that the operator
   * offers a model for, with a variable such as MODEL_GPT_4. Null as in {@link get}.
   */
  async of(tenant: TenantScope, name: ModelName): Promise<ChatModel | null> {
    return (await this.ownOf(tenant, name)) ?? this.get(name);
  }

  /** The organization's own model, if it answers to this name. */
  async ownOf(tenant: TenantScope, name: ModelName): Promise<ChatModel | null> {
    const own = this.isOffered(name) ? null : await this.own.find(tenant);
    return own && own.opened;
  }

  /** The models of an organization, each once. */
  async list(tenant: TenantScope): Promise<ChatModelInfo[]> {
    const own = await this.own.find(tenant);
    const nameOfOwn = own && `${own.provider}:${own.model}`;
    const models = new Map<string, ChatModelInfo>();
    for (const modelName of modelNameSchema.options) {
      const ofServer = this.resolve(modelName) ?? this.chosen;
      const resolved = this.isOffered(modelName) ? ofServer : (nameOfOwn ?? ofServer);
      if (resolved === null) continue;
      const { provider, model } = parseChatModelName(resolved);
      const known = models.get(resolved);
      if (known) known.modelNames.push(modelName);
      else models.set(resolved, { name: model, provider, modelNames: [modelName] });
    }
    return [...models.values()];
  }

  /** What is wrong with the models of an organization whose last request failed, by the name of the model. */
  async problems(tenant: TenantScope): Promise<Record<string, string>> {
    const own = await this.own.find(tenant);
    const ofOwn = own?.problem ? { 'of the organization': own.problem } : {};
    return { ...this.problemsOfServer(), ...ofOwn };
  }

  private problemsOfServer(): Record<string, string> {
    const { chosen, setting } = this;
    const isUsed = modelNameSchema.options.some((name) => this.resolve(name) === null);
    const ofSetting = chosen !== null && isUsed && setting.problem !== null;
    return { ...Object.fromEntries(this.failures), ...(ofSetting ? { [chosen]: setting.problem } : {}) };
  }

  /** The model of the settings, which stands for all names that the environment leaves open. */
  private get chosen(): string | null {
    const { current } = this.setting;
    return current && `${current.provider}:${current.model}`;
  }

  /** Whether the operator has set a model for this name, other than that of new agents. */
  private isOffered(name: ModelName): boolean {
    return name !== MODEL_OF_NEW_AGENTS && this.table[name] !== undefined;
  }

  /** `<provider>:<model>` of the environment, or null. */
  private resolve(name: ModelName): string | null {
    return resolveModelName(name, { table: this.table, chatModel: this.config.CHAT_MODEL });
  }

  private get table(): Record<ModelName, string | undefined> {
    const { config } = this;
    return {
      gpt_3_5_turbo: config.MODEL_GPT_3_5_TURBO,
      gpt_3_5_turbo_16k: config.MODEL_GPT_3_5_TURBO_16K,
      gpt_4: config.MODEL_GPT_4,
      gpt_4_32k: config.MODEL_GPT_4_32K,
    };
  }

  private open(name: string): ChatModel {
    const known = this.models.get(name);
    if (known) return known;
    const { provider, model } = parseChatModelName(name);
    const opened = createChatModel({
      provider,
      model,
      onCall: countModelCalls(this.metrics, ({ outcome, failure }) => {
        if (outcome === 'done') this.failures.delete(name);
        else if (failure) this.failures.set(name, sentenceForOperator(failure));
      }),
      ...chatOptionsOf(this.config),
      ...this.connections.ofVariables(CHAT_PROVIDERS[provider]),
    });
    this.models.set(name, opened);
    return opened;
  }
}
