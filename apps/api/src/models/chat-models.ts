import type { Config } from '@citewell/config';
import { type ChatModelInfo, type ModelName, modelNameSchema } from '@citewell/contracts/schemas';
import { CONFIG, countModelCalls, ModelConnections } from '@citewell/infrastructure';
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
import { chatOptionsOf } from './chat-connection.js';
import { ChatSetting } from './chat-setting.js';

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
  ) {
    // A missing package or a malformed address must stop the start, not the first answer.
    for (const name of modelNameSchema.options) this.get(name);
  }

  /** The model for a name; null when none is configured, and answers quote passages instead. */
  get(name: ModelName): ChatModel | null {
    const model = this.resolve(name);
    return model === null ? (this.setting.current?.opened ?? null) : this.open(model);
  }

  /** The configured models, each once. */
  list(): ChatModelInfo[] {
    const models = new Map<string, ChatModelInfo>();
    for (const modelName of modelNameSchema.options) {
      const resolved = this.resolve(modelName) ?? this.chosen;
      if (resolved === null) continue;
      const { provider, model } = parseChatModelName(resolved);
      const known = models.get(resolved);
      if (known) known.modelNames.push(modelName);
      else models.set(resolved, { name: model, provider, modelNames: [modelName] });
    }
    return [...models.values()];
  }

  /** What is wrong with the models whose last request failed, by the name of the model. */
  problems(): Record<string, string> {
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

  /** `<provider>:<model>` of the environment, or null. */
  private resolve(name: ModelName): string | null {
    const { config } = this;
    const table = {
      gpt_3_5_turbo: config.MODEL_GPT_3_5_TURBO,
      gpt_3_5_turbo_16k: config.MODEL_GPT_3_5_TURBO_16K,
      gpt_4: config.MODEL_GPT_4,
      gpt_4_32k: config.MODEL_GPT_4_32K,
    } satisfies Record<ModelName, string | undefined>;
    return resolveModelName(name, { table, chatModel: config.CHAT_MODEL });
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
