import type { ChatProvider } from './chat-formats.js';

/** Base paths that separate the providers: the clients of OpenAI and Mistral use the same path. */
export const BASE_PATHS: Record<ChatProvider, string> = {
  openai: '/v1',
  azure: '/azure',
  anthropic: '/anthropic',
  'google-genai': '/google',
  mistralai: '/mistral',
  ollama: '/ollama',
};

/** Base path of the rerank endpoint of Text Embeddings Inference. That of Cohere and Jina AI is below `/v1`. */
export const TEI_PATH = '/tei';
