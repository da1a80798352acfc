import type { Config } from '@citewell/config';
import type { ChatSettings, ChooseChatModel, ModelTest } from '@citewell/contracts/schemas';
import { OrganizationRepository, type TenantScope } from '@citewell/database';
import { CONFIG, SecretError } from '@citewell/infrastructure';
import {
  CHAT_PROVIDERS,
  type ChatModel,
  type ChatProvider,
  ModelError,
  parseChatModelName,
} from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, invalid } from '../http/api-error.js';
import { isChatProvider, variablesOf } from './chat-connection.js';
import { type ChatChoice, ChatSetting } from './chat-setting.js';
import { assertOperator } from './operator.js';
import { sampleOf } from './sample.js';
import { testModel } from './test-model.js';

const KEY_END = 4;
/** The end of a shorter key would tell too much of it. */
const MIN_SHOWN_KEY = 16;
const OLLAMA_URL = 'http://127.0.0.1:11434';

/** The chat model of the installation. */
@Injectable()
export class ChatSettingsService {
  constructor(
    @Inject(ChatSetting) private readonly setting: ChatSetting,
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws {@link ApiError} `FORBIDDEN` */
  async get(tenant: TenantScope): Promise<ChatSettings> {
    await assertOperator(this.organizations, tenant);
    const { CHAT_MODEL } = this.config;
    const providers = Object.keys(CHAT_PROVIDERS)
      .filter(isChatProvider)
      .map((name) => ({ name, fixedBy: variablesOf(this.config, name) }));
    const nothing = { baseUrl: null, hasKey: false, keyEnd: null, problem: null, providers };
    if (CHAT_MODEL !== undefined)
      return { ...parseChatModelName(CHAT_MODEL), ...nothing, chosenBy: 'environment' };
    const { current } = this.setting;
    if (current === null) return { provider: null, model: null, ...nothing, chosenBy: 'default' };
    const { provider, model, baseUrl, apiKey, hasKey, problem } = current;
    const keyEnd = apiKey !== null && apiKey.length >= MIN_SHOWN_KEY ? apiKey.slice(-KEY_END) : null;
    return { provider, model, baseUrl, hasKey, keyEnd, chosenBy: 'setting', problem, providers };
  }

  /** @throws {@link ApiError} `FORBIDDEN`, `CONFLICT` if a variable decides, `INVALID_REQUEST` */
  async choose(tenant: TenantScope, body: ChooseChatModel): Promise<ChatSettings> {
    await assertOperator(this.organizations, tenant);
    this.assertNotFixed();
    const choice = this.toChoice(body);
    await this.open(choice);
    try {
      await this.setting.choose(choice);
    } catch (error) {
      if (error instanceof SecretError) throw new ApiError('CONFLICT', error.message);
      throw error;
    }
    return this.get(tenant);
  }

  /** Answers consist of quotes again. @throws {@link ApiError} `FORBIDDEN`, `CONFLICT` */
  async remove(tenant: TenantScope): Promise<ChatSettings> {
    await assertOperator(this.organizations, tenant);
    this.assertNotFixed();
    await this.setting.remove();
    return this.get(tenant);
  }

  /** Tests a choice without storing it. @throws {@link ApiError} as {@link choose} */
  async test(tenant: TenantScope, body: ChooseChatModel): Promise<ModelTest> {
    await assertOperator(this.organizations, tenant);
    const chat = await this.open(this.toChoice(body));
    return testModel((signal) => sampleOf(chat, signal));
  }

  private assertNotFixed(): void {
    if (this.config.CHAT_MODEL !== undefined)
      throw new ApiError('CONFLICT', 'The variable CHAT_MODEL of the server names the chat model.');
  }

  private toChoice({ provider, model, baseUrl, apiKey }: ChooseChatModel): ChatChoice {
    if (!isChatProvider(provider))
      throw invalid('provider', `must be one of ${Object.keys(CHAT_PROVIDERS).join(', ')}`);
    const fixedBy = variablesOf(this.config, provider);
    if (fixedBy.length > 0 && (baseUrl || apiKey))
      throw new ApiError(
        'CONFLICT',
        `The variable ${fixedBy.join(' and ')} of the server decides about address and key of ${provider}. Leave both out.`,
      );
    const choice = { provider, model, baseUrl: baseUrl || null };
    if (fixedBy.length === 0 && provider === 'azure' && choice.baseUrl === null)
      throw invalid(
        'baseUrl',
        'is missing: azure needs the address of the resource, such as https://my-resource.openai.azure.com',
      );
    const key = apiKey === undefined ? this.storedKey(choice) : apiKey || null;
    if (fixedBy.length === 0 && key === null && choice.baseUrl === null && provider !== 'ollama')
      throw invalid('apiKey', `is missing: ${provider} needs a key, or the address of a server without keys`);
    return { ...choice, apiKey: key };
  }

  /** A stored key is never sent to another address than the one that it was entered for. */
  private storedKey({
    provider,
    baseUrl,
  }: {
    provider: ChatProvider;
    baseUrl: string | null;
  }): string | null {
    const { current } = this.setting;
    if (current?.provider !== provider || current.baseUrl !== baseUrl) return null;
    if (current.hasKey && current.apiKey === null)
      throw invalid('apiKey', 'is missing: the stored key cannot be decrypted');
    return current.apiKey;
  }

  private async open(choice: ChatChoice): Promise<ChatModel> {
    const isDefaultOllama = choice.provider === 'ollama' && choice.baseUrl === null;
    try {
      return await this.setting.open(isDefaultOllama ? { ...choice, baseUrl: OLLAMA_URL } : choice);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      throw new ApiError('INVALID_REQUEST', error.message, {
        details: [{ path: 'baseUrl', message: error.message }],
      });
    }
  }
}
