import { createHash } from 'node:crypto';
import type { ClientOptions } from '@langchain/openai';

const OPENAI_BASE_URL = 'https://api.openai.com/v1';
/** The client insists on a key; servers without keys ignore it, and others answer 401, which says what to do. */
const NO_KEY = 'not-configured';

/** Where a provider is, and how to be let in. */
export interface ProviderConnection {
  /** Any OpenAI-compatible server, its path included (`…/v1`). Default: OpenAI itself. */
  baseUrl?: string;
  apiKey?: string;
}

/** Equal for connections whose requests count against the same limits; tells nothing about the key. */
export function accountOf({ baseUrl, apiKey }: ProviderConnection): string {
  const identity = JSON.stringify([baseUrl || OPENAI_BASE_URL, apiKey || NO_KEY]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}

/**
 * Options for LangChain's OpenAI classes that leave nothing to the environment: with anything unset, LangChain and the
 * client under it would look for keys, organizations and gateways (`LANGSMITH_GATEWAY`) in variables of their own.
 */
export function connectionFields({ baseUrl, apiKey }: ProviderConnection): {
  apiKey: string;
  maxRetries: 0;
  configuration: ClientOptions;
} {
  return {
    apiKey: apiKey || NO_KEY,
    // Retries are the caller's: it knows attempts, budgets and what others are waiting for.
    maxRetries: 0,
    configuration: {
      baseURL: baseUrl || OPENAI_BASE_URL,
      organization: null,
      project: null,
      // The client would write what it cannot parse, answers of the model, to the console.
      logLevel: 'off',
    },
  };
}
