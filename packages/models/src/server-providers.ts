import { withoutTrailingSlashes } from '@citewell/web/remote-fetch';
import { CHAT_PROVIDERS } from './chat-providers.js';

const RERANK_VARIABLES = { urlVariable: 'RERANK_BASE_URL', keyVariable: 'RERANK_API_KEY' } as const;

/** The servers of embedding models that can be chosen in the settings. Ollama has the API of OpenAI at `/v1`. */
export const EMBEDDING_PROVIDERS = { openai: CHAT_PROVIDERS.openai, ollama: CHAT_PROVIDERS.ollama } as const;

/**
 * The servers of rerank models that can be chosen in the settings: those with the API of Cohere and Jina AI, and Text
 * Embeddings Inference.
 */
export const RERANK_PROVIDERS = { cohere: RERANK_VARIABLES, tei: RERANK_VARIABLES } as const;

export type EmbeddingProvider = keyof typeof EMBEDDING_PROVIDERS;
export type RerankProvider = keyof typeof RERANK_PROVIDERS;

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
