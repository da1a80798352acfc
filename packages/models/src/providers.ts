import { withoutTrailingSlashes } from '@citewell/web/remote-fetch';
import { ModelError } from './model.error.js';

const RERANK_VARIABLES = { urlVariable: 'RERANK_BASE_URL', keyVariable: 'RERANK_API_KEY' } as const;

/** The providers, each with LangChain's package and the environment variables that configure it. */
export const CHAT_PROVIDERS = {
  openai: {
    package: '@langchain/openai',
    urlVariable: 'OPENAI_BASE_URL',
    keyVariable: 'OPENAI_API_KEY',
  },
  azure: {
    package: '@langchain/openai',
    urlVariable: 'AZURE_OPENAI_ENDPOINT',
    keyVariable: 'AZURE_OPENAI_API_KEY',
  },
  anthropic: {
    package: '@langchain/anthropic',
    urlVariable: 'ANTHROPIC_BASE_URL',
    keyVariable: 'ANTHROPIC_API_KEY',
  },
  'google-genai': {
    // Not `@langchain/google-genai`: a stream of it that fails or is aborted stops the process (langchainjs#11489).
    package: '@langchain/google',
    urlVariable: 'GOOGLE_BASE_URL',
    keyVariable: 'GOOGLE_API_KEY',
  },
  mistralai: {
    package: '@langchain/mistralai',
    urlVariable: 'MISTRAL_BASE_URL',
    keyVariable: 'MISTRAL_API_KEY',
  },
  ollama: {
    package: '@langchain/ollama',
    urlVariable: 'OLLAMA_BASE_URL',
    keyVariable: 'OLLAMA_API_KEY',
  },
} as const;

/** The servers of embedding models that can be chosen in the settings. Ollama has the API of OpenAI at `/v1`. */
export const EMBEDDING_PROVIDERS = { openai: CHAT_PROVIDERS.openai, ollama: CHAT_PROVIDERS.ollama } as const;

/**
 * The servers of rerank models that can be chosen in the settings: those with the API of Cohere and Jina AI, and Text
 * Embeddings Inference.
 */
export const RERANK_PROVIDERS = { cohere: RERANK_VARIABLES, tei: RERANK_VARIABLES } as const;

export type ChatProvider = keyof typeof CHAT_PROVIDERS;
export type EmbeddingProvider = keyof typeof EMBEDDING_PROVIDERS;
export type RerankProvider = keyof typeof RERANK_PROVIDERS;

/** A model and its provider. */
export interface ChatModelName {
  provider: ChatProvider;
  /** Name of the model at the provider. */
  model: string;
}

/**
 * Parses `<provider>:<model>`. A name without a known provider belongs to an OpenAI-compatible server:
 * `qwen2.5:7b` is the name of a model.
 */
export function parseChatModelName(name: string): ChatModelName {
  const colon = name.indexOf(':');
  const prefix = name.slice(0, Math.max(colon, 0));
  return isChatProvider(prefix)
    ? { provider: prefix, model: name.slice(colon + 1) }
    : { provider: 'openai', model: name };
}

/** Maps the model names of the API to those of the provider. */
export interface ModelNames {
  /** API name (`gpt_4`, …) to provider name; from `MODEL_GPT_4` and similar variables. */
  table: Readonly<Record<string, string | undefined>>;
  /** Used for names without an entry; from `CHAT_MODEL`. */
  chatModel?: string | undefined;
}

/** Returns the provider's name of a model, or null if no model is configured and answers are quotes. */
export function resolveModelName(apiName: string, { table, chatModel }: ModelNames): string | null {
  const entry = Object.hasOwn(table, apiName) ? table[apiName] : undefined;
  return entry || chatModel || null;
}

export function isChatProvider(name: string): name is ChatProvider {
  return Object.hasOwn(CHAT_PROVIDERS, name);
}

export function isEmbeddingProvider(name: string): name is EmbeddingProvider {
  return Object.hasOwn(EMBEDDING_PROVIDERS, name);
}

export function isRerankProvider(name: string): name is RerankProvider {
  return Object.hasOwn(RERANK_PROVIDERS, name);
}

/** Address of the API of OpenAI at an Ollama. @param baseUrl with or without `/v1` */
export function openaiAddressOfOllama(baseUrl: string): string {
  return `${withoutTrailingSlashes(baseUrl).replace(/\/v1$/, '')}/v1`;
}

/**
 * Checks that LangChain's package of a provider is installed, without importing the package.
 *
 * @throws ModelError (`permanent`) with the command that installs the package
 */
export function requireProviderPackage(
  provider: ChatProvider,
  resolve: (name: string) => unknown = (wanted) => import.meta.resolve(wanted),
): void {
  const { package: name } = CHAT_PROVIDERS[provider];
  try {
    resolve(name);
  } catch {
    throw new ModelError(
      'permanent',
      `Chat models of ${provider} need the package ${name}, which is not installed. ` +
        `Install it with \`npx --yes pnpm@12 --filter @citewell/models add ${name}\`, then start again.`,
    );
  }
}
