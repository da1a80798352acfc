import type { Config } from '@citewell/config';
import { CHAT_PROVIDERS, type ChatModelOptions, type ChatProvider } from '@citewell/models';

/** Time limits and versions, which the environment sets for all models. */
export function chatOptionsOf(
  config: Config,
): Pick<ChatModelOptions, 'idleTimeoutMs' | 'totalTimeoutMs' | 'apiVersion'> {
  const { CHAT_IDLE_TIMEOUT_MS: idleTimeoutMs, CHAT_TIMEOUT_MS: totalTimeoutMs } = config;
  const { AZURE_OPENAI_API_VERSION: apiVersion } = config;
  return { idleTimeoutMs, totalTimeoutMs, ...(apiVersion === undefined ? {} : { apiVersion }) };
}

export function isChatProvider(name: string): name is ChatProvider {
  return Object.hasOwn(CHAT_PROVIDERS, name);
}
