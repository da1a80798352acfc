import type { Config } from '@citewell/config';
import type { ModelSettingRepository } from '@citewell/database';
import {
  CHAT_PROVIDERS,
  type ChatModel,
  type ChatModelOptions,
  createChatModel,
  isChatProvider,
  ModelError,
  type OnModelCall,
} from '@citewell/models';
import type { ModelConnection, ModelConnections, StoredConnection } from './model-connections.js';

/** Time limits and versions, which the environment sets for all models. */
export function chatOptionsOf(
  config: Config,
): Pick<ChatModelOptions, 'idleTimeoutMs' | 'totalTimeoutMs' | 'apiVersion'> {
  const { CHAT_IDLE_TIMEOUT_MS: idleTimeoutMs, CHAT_TIMEOUT_MS: totalTimeoutMs } = config;
  const { AZURE_OPENAI_API_VERSION: apiVersion } = config;
  return { idleTimeoutMs, totalTimeoutMs, ...(apiVersion === undefined ? {} : { apiVersion }) };
}

/**
 * Opens a chat model that was chosen in the settings.
 *
 * @throws ModelError (`permanent`) if the connection is malformed
 */
export function openChatModel(
  { provider, model, ...address }: ModelConnection,
  connections: ModelConnections,
  config: Config,
  onCall: OnModelCall,
): ChatModel {
  if (!isChatProvider(provider))
    throw new ModelError('permanent', `There are no chat models of the provider ${provider}.`);
  return createChatModel({
    provider,
    model,
    onCall,
    ...chatOptionsOf(config),
    ...connections.resolve(CHAT_PROVIDERS[provider], address),
  });
}

/** The model that describes pictures, which the operator chooses for the installation. Without a choice, none are described. */
export class PictureModels {
  constructor(
    private readonly settings: Pick<ModelSettingRepository, 'all'>,
    private readonly connections: ModelConnections,
    private readonly config: Config,
    private readonly onCall: OnModelCall,
  ) {}

  /** Read from the database each time, so that no picture is sent after the choice was removed. */
  async chosen(): Promise<StoredConnection | null> {
    const setting = (await this.settings.all()).get('pictures');
    return setting === undefined ? null : this.connections.read('pictures', setting);
  }

  /** @throws ModelError (`permanent`) if the connection is malformed */
  open(choice: ModelConnection): ChatModel {
    return openChatModel(choice, this.connections, this.config, this.onCall);
  }
}
