import type { Config } from '@citewell/config';
import { type ModelSetting, ModelSettingRepository } from '@citewell/database';
import {
  CONFIG,
  countModelCalls,
  LOGGER,
  pollSettings,
  SecretError,
  Secrets,
} from '@citewell/infrastructure';
import {
  type ChatModel,
  type ChatModelName,
  createChatModel,
  ModelError,
  ModelNetworks,
  type OnModelCall,
  parseChatModelName,
  type ProviderConnection,
  sentenceForOperator,
} from '@citewell/models';
import { type Logger, Metrics } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { chatOptionsOf, connectionOf, variablesOf } from './chat-connection.js';

const KIND = 'chat';
/** Error messages say what to check. */
const NAMES = { urlVariable: 'the address in the settings', keyVariable: 'the key in the settings' };

/** A choice of the chat model with the key in clear. It stays in the memory of the process. */
export interface ChatChoice extends ChatModelName {
  baseUrl: string | null;
  apiKey: string | null;
}

/** The choice as this process uses it. */
export interface OpenChatChoice extends ChatChoice {
  chat: ChatModel;
  /** Whether a key is stored, also one that cannot be read. */
  hasKey: boolean;
  /** Why the choice cannot be used. */
  problem: string | null;
}

/** The chat model that was chosen while the service runs. Every process follows the setting. */
@Injectable()
export class ChatSetting {
  /** Null if nothing was chosen. */
  current: OpenChatChoice | null = null;
  private row: string | null = null;
  private lastFailure: string | null = null;
  private readonly stopping = new AbortController();
  private readonly networks: ModelNetworks;

  constructor(
    @Inject(ModelSettingRepository) private readonly settings: ModelSettingRepository,
    @Inject(Secrets) private readonly secrets: Secrets,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {
    this.networks = new ModelNetworks(config.MODEL_NETWORKS);
  }

  /** Why the chosen model cannot be used, or why the last request to it failed. Null if it works. */
  get problem(): string | null {
    return this.current?.problem ?? this.lastFailure;
  }

  /** Called by Nest before requests are answered. */
  async onModuleInit(): Promise<void> {
    await this.follow();
    void pollSettings(() => this.follow(), this.stopping.signal);
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  /**
   * Opens a model without storing the choice.
   *
   * @throws ModelError (`permanent`) if the choice cannot be used
   */
  async open(choice: ChatChoice): Promise<ChatModel> {
    const isFixed = variablesOf(this.config, choice.provider).length > 0;
    if (!isFixed && choice.baseUrl !== null) await this.networks.requirePermitted(choice.baseUrl);
    return this.create(choice);
  }

  /**
   * Stores a choice for all processes.
   *
   * @throws SecretError if a key cannot be stored
   */
  async choose({ provider, model, baseUrl, apiKey }: ChatChoice): Promise<void> {
    const sealedKey =
      apiKey === null ? null : await this.secrets.seal(apiKey, purposeOf({ provider, baseUrl }));
    await this.settings.store(KIND, { name: `${provider}:${model}`, baseUrl, sealedKey });
    await this.follow();
  }

  async remove(): Promise<void> {
    await this.settings.remove(KIND);
    await this.follow();
  }

  /** Reads the setting. Never rejects: without the database, the process keeps the model that it has. */
  async follow(): Promise<void> {
    try {
      const found = await this.settings.read(KIND);
      const row = found && JSON.stringify([found.name, found.baseUrl, found.sealedKey]);
      // The key may be readable now.
      if (row === this.row && !this.current?.problem) return;
      const current = found && (await this.read(found));
      this.row = row;
      this.current = current;
      this.lastFailure = null;
    } catch (error) {
      if (!this.stopping.signal.aborted)
        this.logger.warn({ err: error }, 'the setting of the chat model could not be read');
    }
  }

  private async read({ name, baseUrl, sealedKey }: ModelSetting): Promise<OpenChatChoice> {
    const choice: ChatChoice = { ...parseChatModelName(name), baseUrl, apiKey: null };
    const hasKey = sealedKey !== null;
    try {
      if (sealedKey !== null) choice.apiKey = await this.secrets.open(sealedKey, purposeOf(choice));
      const chat: ChatModel = this.create(choice, ({ outcome, failure }) => {
        if (outcome === 'aborted' || chat !== this.current?.chat) return;
        this.lastFailure = failure ? sentenceForOperator(failure) : null;
      });
      return { ...choice, hasKey, chat, problem: null };
    } catch (error) {
      if (!(error instanceof SecretError || error instanceof ModelError)) throw error;
      const failure = new ModelError('permanent', error.message);
      return { ...choice, hasKey, chat: unusable(choice.model, failure), problem: error.message };
    }
  }

  /** Variables with an address or a key of the provider win. Only addresses of settings are limited to networks. */
  private create(
    { provider, model, baseUrl, apiKey }: ChatChoice,
    onOwnCall: OnModelCall = () => undefined,
  ): ChatModel {
    const count = countModelCalls(this.metrics);
    const ofSettings: ProviderConnection = {
      ...(baseUrl === null ? {} : { baseUrl }),
      ...(apiKey === null ? {} : { apiKey }),
      fetcher: this.networks.fetch,
      names: NAMES,
    };
    const isFixed = variablesOf(this.config, provider).length > 0;
    const connection = isFixed ? connectionOf(this.config, provider) : ofSettings;
    return createChatModel({
      provider,
      model,
      onCall: (call) => {
        count(call);
        onOwnCall(call);
      },
      ...chatOptionsOf(this.config),
      ...connection,
    });
  }
}

/** A key is for one provider at one address. */
function purposeOf({ provider, baseUrl }: Pick<ChatChoice, 'provider' | 'baseUrl'>): string {
  return JSON.stringify([KIND, provider, baseUrl]);
}

/** A chosen model that fails, so that nobody takes quotes for its answers. */
function unusable(name: string, failure: ModelError): ChatModel {
  return {
    name,
    // oxlint-disable-next-line require-yield
    async *stream() {
      throw failure;
    },
  };
}
