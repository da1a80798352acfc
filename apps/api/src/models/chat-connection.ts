import type { Config } from '@citewell/config';
import { countModelCalls, type ModelConnection, type ModelConnections } from '@citewell/infrastructure';
import {
  CHAT_PROVIDERS,
  type ChatModel,
  type ChatModelOptions,
  type ChatProvider,
  createChatModel,
  ModelError,
  type OnModelCall,
} from '@citewell/models';
import type { Metrics } from '@citewell/observability';

/** Time limits and versions, which the environment sets for all models. */
export function chatOptionsOf(
  config: Config,
): Pick<ChatModelOptions, 'idleTimeoutMs' | 'totalTimeoutMs' | 'apiVersion'> {
  const { CHAT_IDLE_TIMEOUT_MS: idleTimeoutMs, CHAT_TIMEOUT_MS: totalTimeoutMs } = config;
  const { AZURE_OPENAI_API_VERSION: apiVersion } = config;
  return { idleTimeoutMs, totalTimeoutMs, ...(apiVersion === undefined ? {} : { apiVersion }) };
}

function isChatProvider(name: string): name is ChatProvider {
  return Object.hasOwn(CHAT_PROVIDERS, name);
}

/** What a chat model of the settings is opened with. */
export interface ChatContext {
  readonly connections: ModelConnections;
  readonly config: Config;
  readonly metrics: Metrics;
}

/** Opens a chat model of the settings. @throws ModelError (`permanent`) if the connection is malformed */
export function openChosenChat(
  { connections, config, metrics }: ChatContext,
  { provider, model, ...address }: ModelConnection,
  onCall?: OnModelCall,
): ChatModel {
  if (!isChatProvider(provider))
    throw new ModelError('permanent', `There are no chat models of the provider ${provider}.`);
  return createChatModel({
    provider,
    model,
    onCall: countModelCalls(metrics, onCall),
    ...chatOptionsOf(config),
    ...connections.resolve(CHAT_PROVIDERS[provider], address),
  });
}

/** A chat model that fails, so that nobody takes quotes for its answers. */
export function failingChat({ model }: Pick<ModelConnection, 'model'>, failure: ModelError): ChatModel {
  return {
    name: model,
    // oxlint-disable-next-line require-yield
    async *stream() {
      throw failure;
    },
  };
}
