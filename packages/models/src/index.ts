export { loadBuiltinEmbeddingModel } from './builtin/builtin-embedding.model.js';
export type {
  ChatEvent,
  ChatMessage,
  ChatModel,
  ChatRequest,
  ChatTool,
  EmbeddingModel,
  FinishReason,
  ModelPicture,
  RerankModel,
  ToolCall,
} from './model.port.js';
export { type ChatModelOptions, createChatModel, readText } from './chat.model.js';
export {
  CHAT_PROVIDERS,
  EMBEDDING_PROVIDERS,
  isChatProvider,
  isEmbeddingProvider,
  isRerankProvider,
  openaiAddressOfOllama,
  parseChatModelName,
  RERANK_PROVIDERS,
  resolveModelName,
} from './providers.js';
export { describePicture, type PictureDescription } from './describe-picture.js';
export { estimateTokens } from './embedding-batches.js';
export { createHttpRerankModel } from './http-rerank.model.js';
export type { OnProgress, Progress } from './local/on-progress.js';
export { installLanguage, languageFile } from './local/install-language.js';
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
export { toolCallText } from './tool-calls.js';
export { ModelNetworks } from './model-networks.js';
export { ModelError, type ModelErrorReason, OwnModelError, sentenceForOperator } from './model.error.js';
export { createEmbeddingModel, type EmbeddingModelOptions } from './openai-embedding.model.js';
export { type ProviderConnection, requireUsableConnection } from './provider-connection.js';
