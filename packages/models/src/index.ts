export { loadBuiltinEmbeddingModel } from './builtin/builtin-embedding.model.js';
export type { ChatEvent, ChatMessage, ChatModel, ChatRequest, FinishReason } from './chat-model.port.js';
export { type ChatModelOptions, createChatModel } from './chat.model.js';
export { CHAT_PROVIDERS, type ChatProvider, parseChatModelName } from './chat-providers.js';
export { estimateTokens } from './embedding-batches.js';
export type { EmbeddingModel } from './embedding-model.port.js';
export { createHttpRerankModel } from './http-rerank.model.js';
export type { OnProgress, Progress } from './local/on-progress.js';
export { isLocalModel } from './local/model-source.js';
export { offeredModels } from './local/offered-models.js';
export {
  isLocalModelStored,
  type LocalModelOptions,
  type LocalRerankModel,
  openLocalEmbeddingModel,
  openLocalRerankModel,
  urlOfLocalModel,
} from './local/open-local-model.js';
export type { ModelCall, OnModelCall } from './model-call.js';
export { ModelNetworks } from './model-networks.js';
export { resolveModelName } from './model-name.js';
export { ModelError, type ModelErrorReason, OwnModelError, sentenceForOperator } from './model.error.js';
export { createEmbeddingModel, type EmbeddingModelOptions } from './openai-embedding.model.js';
export { type ProviderConnection, requireUsableConnection } from './provider-connection.js';
export { readText } from './read-text.js';
export {
  EMBEDDING_PROVIDERS,
  isEmbeddingProvider,
  isRerankProvider,
  openaiAddressOfOllama,
  RERANK_PROVIDERS,
} from './server-providers.js';
export type { RerankModel } from './rerank-model.port.js';
