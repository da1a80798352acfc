/** One turn of a conversation, in the roles that every provider knows. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** What is not given is left to the provider. */
export interface ChatRequest {
  messages: readonly ChatMessage[];
  /** 0 to 2 at most providers; the API here takes 0 to 1. */
  temperature?: number;
  /** The most tokens of answer. */
  maxTokens?: number;
  /** Nucleus sampling, 0 to 1. */
  topP?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
}

/** A piece of the answer, or, at most once and at the end, what it has cost in tokens. */
export type ChatEvent = { text: string } | { usage: { inputTokens: number; outputTokens: number } };

/** A model that answers. */
export interface ChatModel {
  /** The provider's name for the model. */
  readonly name: string;

  /**
   * Streams one answer. Joining the texts gives the whole; no text ends inside a surrogate pair, even where the
   * provider cuts one in half. Leaving the loop early, or the signal, closes the connection to the provider.
   *
   * @throws ModelError, or the signal's reason
   */
  stream(request: ChatRequest, options: { signal: AbortSignal }): AsyncIterable<ChatEvent>;
}
