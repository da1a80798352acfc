export type { ChatEvent, ChatMessage, ChatModel, ChatRequest } from './chat-model.port.js';
export { estimateTokens } from './embedding-batches.js';
export type { EmbeddingModel } from './embedding-model.port.js';
export { type ModelNames, resolveModelName } from './model-name.js';
export { ModelError, type ModelErrorKind, ProviderFailure } from './model.error.js';
export { type ChatModelOptions, createChatModel } from './openai-chat.model.js';
export { createEmbeddingModel, type EmbeddingModelOptions } from './openai-embedding.model.js';
export type { ProviderConnection } from './provider-connection.js';
