export type { ChatProvider } from './chat-formats.js';
export { hashedEmbedding } from './hashed-embedding.js';
export { type ModelServer, type RecordedRequest, startModelServer } from './model-server.js';
export type {
  ChatDelta,
  ChatReply,
  EmbeddingsReply,
  ErrorReply,
  GarbageReply,
  HangReply,
  ModelReply,
  ModelServerScript,
  ReceivedMessage,
  RerankReply,
  StreamEnd,
  VectorFault,
} from './model-server.script.js';
export {
  DELIVERIES,
  type Delivery,
  type RawModelServer,
  type RawReply,
  startRawModelServer,
} from './raw-model-server.js';
export { writeTinyModel } from './tiny-model.js';
