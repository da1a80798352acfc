import type { Config } from '@citewell/config';
import {
  CHAT_PROVIDERS,
  type ChatModelOptions,
  type ChatProvider,
  type ProviderConnection,
} from '@citewell/models';

/** Address and key of a provider in the environment. */
export function connectionOf(config: Config, provider: ChatProvider): ProviderConnection {
  const { urlVariable, keyVariable } = CHAT_PROVIDERS[provider];
  const baseUrl = config[urlVariable];
  const apiKey = config[keyVariable];
  return { ...(baseUrl === undefined ? {} : { baseUrl }), ...(apiKey === undefined ? {} : { apiKey }) };
}

/** Time limits and versions, which the environment sets for all models. */
export function chatOptionsOf(
  config: Config,
): Pick<ChatModelOptions, 'idleTimeoutMs' | 'totalTimeoutMs' | 'apiVersion'> {
  const { CHAT_IDLE_TIMEOUT_MS: idleTimeoutMs, CHAT_TIMEOUT_MS: totalTimeoutMs } = config;
  const { AZURE_OPENAI_API_VERSION: apiVersion } = config;
  return { idleTimeoutMs, totalTimeoutMs, ...(apiVersion === undefined ? {} : { apiVersion }) };
}

/** The set variables with address or key of a provider. They win over the settings. */
export function variablesOf(config: Config, provider: ChatProvider): string[] {
  const { urlVariable, keyVariable } = CHAT_PROVIDERS[provider];
  return [urlVariable, keyVariable].filter((name) => config[name] !== undefined);
}

export function isChatProvider(name: string): name is ChatProvider {
  return Object.hasOwn(CHAT_PROVIDERS, name);
}
