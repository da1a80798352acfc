import type { Config } from '@citewell/config';
import type { ModelName } from '@citewell/contracts/http';
import { CONFIG } from '@citewell/infrastructure';
import { type ChatModel, createChatModel, resolveModelName } from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';

/** Maps the model names of the interface to models of the provider. Opens each model once. */
@Injectable()
export class ChatModels {
  private readonly models = new Map<string, ChatModel>();

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** The model for a name; null when none is configured, and answers quote passages instead. */
  get(name: ModelName): ChatModel | null {
    const { config } = this;
    const table = {
      gpt_3_5_turbo: config.MODEL_GPT_3_5_TURBO,
      gpt_3_5_turbo_16k: config.MODEL_GPT_3_5_TURBO_16K,
      gpt_4: config.MODEL_GPT_4,
      gpt_4_32k: config.MODEL_GPT_4_32K,
    } satisfies Record<ModelName, string | undefined>;
    const model = resolveModelName(name, { table, chatModel: config.CHAT_MODEL });
    return model === null ? null : this.open(model);
  }

  private open(model: string): ChatModel {
    const known = this.models.get(model);
    if (known) return known;
    const opened = createChatModel({
      model,
      ...(this.config.OPENAI_BASE_URL === undefined ? {} : { baseUrl: this.config.OPENAI_BASE_URL }),
      ...(this.config.OPENAI_API_KEY === undefined ? {} : { apiKey: this.config.OPENAI_API_KEY }),
    });
    this.models.set(model, opened);
    return opened;
  }
}
