/** An answer that is an error. */
export interface ErrorReply {
  kind: 'error';
  status: number;
  /** The `Retry-After` header: seconds or a date. */
  retryAfter?: string;
  /** The error's code, as OpenAI names it (`rate_limit_exceeded`, `insufficient_quota`, …). */
  code?: string;
  /** What the server says; some repeat the key or the prompt in it. */
  message?: string;
}

/** No answer at all, until the client goes away. */
export interface HangReply {
  kind: 'hang';
}

/** Bytes that are no JSON, with status 200. */
export interface GarbageReply {
  kind: 'garbage';
}

/** How a streamed answer ends. */
export type StreamEnd =
  /** As it should: finish reason, usage if asked for, `[DONE]`. */
  | 'complete'
  /** The connection is reset. */
  | 'cut'
  /** The body ends in good order, but too early. */
  | 'early'
  /** A frame that is no JSON. */
  | 'broken-json'
  /** An error frame, as providers send it when they fail half-way. */
  | 'error-frame'
  /** Silence, until the client goes away. */
  | 'hang';

export interface ChatReply {
  kind: 'chat';
  /** The text, delta by delta. Halves of surrogate pairs travel as JSON escapes. */
  deltas: readonly string[];
  /** Wait before the first delta. Default 0. */
  firstDelayMs?: number;
  /** Wait before each further delta. Default 0. */
  delayMs?: number;
  /** Default `complete`. Only for streams. */
  end?: StreamEnd;
}

/** What is wrong with the vectors of an answer. */
export type VectorFault =
  | 'one-too-few'
  | 'one-too-many'
  | 'wrong-dimension'
  | 'not-a-number'
  /** Not wrong: the right vectors in another order, with their indexes. */
  | 'shuffled';

export interface EmbeddingsReply {
  kind: 'embeddings';
  fault?: VectorFault;
  delayMs?: number;
}

/** What the server does with one request. A reply of the other endpoint's kind is a mistake in the test. */
export type ModelReply = ErrorReply | HangReply | GarbageReply | ChatReply | EmbeddingsReply;

/** One message of a chat request. */
export interface ReceivedMessage {
  role: string;
  content: string;
}

export interface ModelServerScript {
  /** Length of the vectors where the request does not say. Default 64. */
  dimensions?: number;
  /** The answer to a chat, as deltas, when no reply is queued. Default: one sentence that cites `[1]`. */
  answer?: (messages: ReceivedMessage[]) => readonly string[];
  /** Models that `/v1/models` lists. Default `['test-chat', 'test-embedding']`. */
  models?: readonly string[];
}
