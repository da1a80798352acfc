import type { ModelError } from './model.error.js';

/** A message of a conversation. All providers support these roles. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
  /** Follow the content. Not every model takes them. */
  pictures?: readonly ModelPicture[];
}

/** A picture for a model. */
export interface ModelPicture {
  readonly mimeType: 'image/jpeg' | 'image/png';
  readonly file: Uint8Array;
}

/**
 * Omitted settings have the defaults of the provider or of LangChain. Settings that a provider does not have are left
 * out, and the sampling settings (temperature, topP, penalties) for models that are known to reject them.
 */
export interface ChatRequest {
  messages: readonly ChatMessage[];
  /** 0 to 2 at most providers. Citewell's own API accepts 0 to 1. */
  temperature?: number;
  /** Maximum length of the answer in tokens. */
  maxTokens?: number;
  /** Nucleus sampling, 0 to 1. */
  topP?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  /**
   * What the model may call instead of answering. A model without an interface for tools is told to reply with JSON. The call
   * and its result become messages of the conversation: see `toolCallText`.
   */
  tools?: readonly ChatTool[];
}

/** A function of the caller that a model may call. */
export interface ChatTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The arguments are not checked. Empty if the model wrote no valid JSON. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * Why an answer ended. `stop`: it is complete. `length`: it reached a limit of tokens. `content_filter`: the provider ended it early.
 * `refusal`: the model does not want to answer. `tool_calls`: the model asked for a tool. `error`: the
 * provider says that something failed, or the answer ends within reasoning.
 */
export type FinishReason = 'stop' | 'length' | 'content_filter' | 'refusal' | 'tool_calls' | 'error';

/**
 * A piece of the answer. Or: all pieces so far were reasoning, which only an end mark has shown, or introduced a call. At the
 * end, the calls of tools, the reason of the end, and then the token usage, if the provider counts.
 */
export type ChatEvent =
  | { text: string }
  | { retracted: true }
  | { toolCall: ToolCall }
  | { finishReason: FinishReason }
  | { usage: { inputTokens: number; outputTokens: number } };

/** A language model. */
export interface ChatModel {
  /** Name of the model at the provider. */
  readonly name: string;

  /** Id of the organization whose own model this is. Absent: a model of the operator. */
  readonly owner?: string;

  /** Loads what the first request needs, which blocks the process for up to a second. Sends nothing. Never rejects. */
  prepare?(): Promise<void>;

  /** The longest prompt and answer together, in tokens; null if it is not known. Absent: never known. */
  contextTokens?(signal: AbortSignal): Promise<number | null>;

  /**
   * Streams one answer: the concatenation of the texts after the last retraction, without the model's reasoning. No text
   * ends inside a surrogate pair, even if the provider splits one. Leaving the loop early or aborting the signal closes the connection to the provider.
   *
   * @throws ModelError, or the reason of the signal
   */
  stream(request: ChatRequest, options: { signal: AbortSignal }): AsyncIterable<ChatEvent>;
}

/** A model that maps texts to vectors. */
export interface EmbeddingModel {
  /** `[a-z0-9_]`, part of the name of a space. Only vectors with equal fingerprints can be compared. */
  readonly fingerprint: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /**
   * Hash of the provider's address and key. Models with the same account share the provider's rate limits.
   */
  readonly account: string;
  /** Whether a neural network computes the vectors. The built-in model has a table of vectors, and is less exact. */
  readonly isNeural: boolean;
  /** Maximum length of a text, in tokens of the model. */
  readonly maxInputTokens: number;

  /**
   * Returns one vector per text, in the order of the texts.
   *
   * @param options.kind some models embed queries and documents differently
   * @param options.onRefusedText is told which text the model refuses. The vector of that text is empty. Without it, such a
   * text fails the call
   * @throws ModelError, or the reason of the signal
   */
  embed(
    texts: readonly string[],
    options: {
      signal: AbortSignal;
      kind: 'document' | 'query';
      onRefusedText?: (index: number, error: ModelError) => void;
    },
  ): Promise<Float32Array[]>;
}

/** A model that reads a question and a text together, and scores how well the text answers the question. */
export interface RerankModel {
  /**
   * Returns one score per text, 0..1, in the order of the texts. Scores of different models cannot be compared.
   *
   * @throws ModelError, or the reason of the signal
   */
  rerank(question: string, texts: readonly string[], options: { signal: AbortSignal }): Promise<number[]>;
}
