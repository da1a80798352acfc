import { createHash } from 'node:crypto';
import type { Fetch } from '@citewell/web/remote-fetch';
import type { ClientOptions } from '@langchain/openai';
import { ModelError } from './model.error.js';

/** Prefixes of the environment variables that LangChain and the clients of the providers read. */
const ENVIRONMENT_PREFIXES =
  /^(?:LANGCHAIN|LANGSMITH|OPENAI|AZURE_OPENAI|ANTHROPIC|GOOGLE|GEMINI|MISTRAL|OLLAMA)_|^LC_OUTPUT_VERSION$/;

const OPENAI_BASE_URL = 'https://api.openai.com/v1';
/** The clients require a key. Servers without keys ignore this one; others reject it. */
export const NO_KEY = 'not-configured';

/** Address and credentials of a provider. */
export interface ProviderConnection {
  /** Default: the public address of the provider. That of an OpenAI-compatible server includes its path (`…/v1`). */
  baseUrl?: string;
  apiKey?: string;
  /** Makes the requests. Default: `remoteFetch`. */
  fetcher?: Fetch;
  /** What error messages name. Default: the environment variables of the provider. */
  names?: ConnectionVariables;
}

/** Where address and key are set. Error messages name these places, which are environment variables at first. */
export interface ConnectionVariables {
  readonly urlVariable: string;
  readonly keyVariable: string;
}

/**
 * Checks that HTTP requests can be made: some clients stop the process with an unhandled rejection otherwise.
 *
 * @throws ModelError (`permanent`)
 */
export function requireUsableConnection(
  { baseUrl, apiKey }: ProviderConnection,
  names: ConnectionVariables,
): void {
  try {
    new Request(baseUrl || OPENAI_BASE_URL, { headers: { authorization: `Bearer ${apiKey || NO_KEY}` } });
  } catch {
    throw new ModelError(
      'permanent',
      `${names.urlVariable} must be an address without a user name and password, and ${names.keyVariable} ` +
        'may contain only characters that are allowed in an HTTP header.',
    );
  }
}

/** Returns a hash that is equal for connections with the same rate limits. It does not reveal the key. */
export function accountOf({ baseUrl, apiKey }: ProviderConnection): string {
  const identity = JSON.stringify([baseUrl || OPENAI_BASE_URL, apiKey || NO_KEY]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}

/** Connection options for LangChain's OpenAI classes. */
export function connectionFields(
  { baseUrl, apiKey }: ProviderConnection,
  fetcher: Fetch,
): {
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
      fetch: fetcher,
      // The client would log responses that it cannot parse to the console.
      logLevel: 'off',
    },
  };
}

/**
 * Removes these variables from the environment of the process. Our configuration has been read at the start. The others
 * could send prompts to a third party (`LANGSMITH_TRACING`), print them (`MISTRAL_DEBUG`), or replace an address or a
 * key (`ANTHROPIC_CUSTOM_HEADERS`). Call this before LangChain is imported.
 */
export function clearEnvironment(): void {
  for (const name of Object.keys(process.env)) if (ENVIRONMENT_PREFIXES.test(name)) delete process.env[name];
}
