/** A message of a conversation. All providers support these roles. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
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
}

/**
 * Why an answer ended. `stop`: it is complete. `length`: it reached a limit of tokens. `content_filter`: the provider cut it.
 * `refusal`: the model does not want to answer. `tool_calls`: the model asked for a tool, and there are none. `error`: the
 * provider says that something failed, or the answer ends within reasoning.
 */
export type FinishReason = 'stop' | 'length' | 'content_filter' | 'refusal' | 'tool_calls' | 'error';

/**
 * A piece of the answer. Or: all pieces so far were reasoning, which only an end mark has shown. At the end, the reason of
 * the end, and then the token usage, if the provider counts.
 */
export type ChatEvent =
  | { text: string }
  | { retracted: true }
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
