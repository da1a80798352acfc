/** An error response. */
export interface ErrorReply {
  kind: 'error';
  status: number;
  /** The `Retry-After` header: seconds or a date. */
  retryAfter?: string;
  /** Error code of the provider, such as OpenAI's `insufficient_quota`. Ollama has none. */
  code?: string;
  /** Error message. Some real servers repeat the key or the prompt in it. */
  message?: string;
}

/** No response until the client disconnects. */
export interface HangReply {
  kind: 'hang';
}

/** Invalid JSON with status 200. */
export interface GarbageReply {
  kind: 'garbage';
}

/** How a streamed response ends. */
export type StreamEnd =
  /** Correctly: finish reason and usage. */
  | 'complete'
  /** The connection is reset. */
  | 'cut'
  /** The body ends without an error, but too early. */
  | 'early'
  /** A frame with invalid JSON. */
  | 'broken-json'
  /** An error frame, as providers send on a failure during the stream. */
  | 'error-frame'
  /** No further frames until the client disconnects. */
  | 'hang';

/** Text, reasoning in the provider's own form, or a frame as it is sent. */
export type ChatDelta = string | { reasoning: string } | { frame: string };

export interface ChatReply {
  kind: 'chat';
  /** The answer in parts. A lone half of a surrogate pair is sent as a JSON escape. */
  deltas: readonly ChatDelta[];
  /** The provider's word for the reason of the end. Default: that of a complete answer. */
  finish?: string;
  /** Delay before the first delta. Default 0. */
  firstDelayMs?: number;
  /** Delay before each further delta. Default 0. */
  delayMs?: number;
  /** Default `complete`. */
  end?: StreamEnd;
}

/** An error in the vectors of a response. */
export type VectorFault =
  | 'one-too-few'
  | 'one-too-many'
  | 'wrong-dimension'
  | 'not-a-number'
  | 'same-index'
  /** Valid: the form that was not requested. */
  | 'base64'
  /** Valid: the correct vectors in another order, with their indexes. */
  | 'shuffled';

export interface EmbeddingsReply {
  kind: 'embeddings';
  fault?: VectorFault;
  delayMs?: number;
}

export interface RerankReply {
  kind: 'rerank';
  /** One score per text, in the order of the texts. */
  scores: readonly number[];
}

/** The reply to one request. Its kind must fit the endpoint; otherwise the test is wrong. */
export type ModelReply = ErrorReply | HangReply | GarbageReply | ChatReply | EmbeddingsReply | RerankReply;

/** One message of a chat request. */
export interface ReceivedMessage {
  role: string;
  content: string;
}

export interface ModelServerScript {
  /** The context that the model of Ollama has. Default: the server does not say. */
  contextTokens?: number;
  /** The error for a request to a chat or embeddings endpoint, as of a server that does not know a setting. It comes before queued replies. */
  refuse?: (body: Record<string, unknown>) => ErrorReply | undefined;
  /** Dimensions of the vectors if the request does not specify them. Default 64. */
  dimensions?: number;
  /** Deltas of a chat response when no reply is queued. Default: one sentence that cites `[1]`. */
  answer?: (messages: ReceivedMessage[]) => readonly string[];
  /** Models that `/v1/models` lists. Default `['test-chat', 'test-embedding']`. */
  models?: readonly string[];
}
