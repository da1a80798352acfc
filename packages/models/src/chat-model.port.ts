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

/** A piece of the answer, or the token usage, which comes at most once and last. */
export type ChatEvent = { text: string } | { usage: { inputTokens: number; outputTokens: number } };

/** A language model. */
export interface ChatModel {
  /** Name of the model at the provider. */
  readonly name: string;

  /**
   * Streams one answer: the concatenation of the texts. No text ends inside a surrogate pair, even if the
   * provider splits one. Leaving the loop early or aborting the signal closes the connection to the provider.
   *
   * @throws ModelError, or the reason of the signal
   */
  stream(request: ChatRequest, options: { signal: AbortSignal }): AsyncIterable<ChatEvent>;
}
