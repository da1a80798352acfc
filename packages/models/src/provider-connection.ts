import { createHash } from 'node:crypto';
import type { ClientOptions } from '@langchain/openai';

const OPENAI_BASE_URL = 'https://api.openai.com/v1';
/** The client requires a key. Servers without keys ignore this one; others respond with 401. */
const NO_KEY = 'not-configured';

/** Address and credentials of a provider. */
export interface ProviderConnection {
  /** URL of an OpenAI-compatible server, including its path (`…/v1`). Default: OpenAI. */
  baseUrl?: string;
  apiKey?: string;
}

/** Returns a hash that is equal for connections with the same rate limits. It does not reveal the key. */
export function accountOf({ baseUrl, apiKey }: ProviderConnection): string {
  const identity = JSON.stringify([baseUrl || OPENAI_BASE_URL, apiKey || NO_KEY]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}

/**
 * Connection options for LangChain's OpenAI classes. All are set explicitly: otherwise LangChain and its
 * client read keys, organizations and gateways (`LANGSMITH_GATEWAY`) from environment variables.
 */
export function connectionFields({ baseUrl, apiKey }: ProviderConnection): {
  apiKey: string;
  maxRetries: 0;
  configuration: ClientOptions;
} {
  return {
    apiKey: apiKey || NO_KEY,
    // The caller retries: it knows the attempts, the budget and the rate limits.
    maxRetries: 0,
    configuration: {
      baseURL: baseUrl || OPENAI_BASE_URL,
      organization: null,
      project: null,
      // The client would log responses that it cannot parse to the console.
      logLevel: 'off',
    },
  };
}
