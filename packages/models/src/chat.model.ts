import type { ChatModel, ChatRequest } from './chat-model.port.js';
import { CHAT_PROVIDERS, type ChatModelName, requireProviderPackage } from './chat-providers.js';
import { streamAnswer } from './chat-stream.js';
import type { OnModelCall } from './model-call.js';
import { ModelError } from './model.error.js';
import { type ProviderConnection, requireUsableConnection } from './provider-connection.js';
import { isUnsupportedSetting } from './provider-errors.js';
import { ReasoningMemory } from './reasoning/reasoning-memory.js';

export interface ChatModelOptions extends ChatModelName, ProviderConnection {
  /** Longest time without a byte from the provider, reasoning and pings included. Default 60,000. */
  idleTimeoutMs?: number;
  /** Timeout of the whole answer, including the time that the caller needs to consume it. Default 600,000. */
  totalTimeoutMs?: number;
  /** Receives every request, for metrics. */
  onCall?: OnModelCall;
}

/**
 * Creates a chat model. The first call of `stream` imports LangChain.
 *
 * @throws ModelError (`permanent`) if the package of the provider is not installed, or if the connection is
 * incomplete or malformed
 */
export function createChatModel(options: ChatModelOptions): ChatModel {
  requireProviderPackage(options.provider);
  requireKeyOrAddress(options);
  requireUsableConnection(options, CHAT_PROVIDERS[options.provider]);
  const memory = new ReasoningMemory(options.model);
  // Until a request shows the opposite.
  let acceptsSampling = true;
  return {
    name: options.model,
    async *stream(request, { signal }) {
      const isComplete = acceptsSampling;
      try {
        yield* streamAnswer(options, memory, isComplete ? request : withoutSampling(request), signal);
      } catch (error) {
        // Providers reject a setting before the first piece of text.
        if (!isComplete || !isUnsupportedSetting(error)) throw error;
        yield* streamAnswer(options, memory, withoutSampling(request), signal);
        acceptsSampling = false;
      }
    },
  };
}

function requireKeyOrAddress({ provider, model, baseUrl, apiKey }: ChatModelOptions): void {
  const { urlVariable, keyVariable } = CHAT_PROVIDERS[provider];
  if (provider === 'ollama' || apiKey || baseUrl) return;
  throw new ModelError(
    'permanent',
    `The chat model ${model} belongs to the provider ${provider}, but ${keyVariable} is not set. Set it, or set ` +
      `${urlVariable} to the address of a server that needs no key. Models of other providers begin with ` +
      `${Object.keys(CHAT_PROVIDERS).join(':, ')}:`,
  );
}

function withoutSampling({ messages, maxTokens }: ChatRequest): ChatRequest {
  return { messages, ...(maxTokens === undefined ? {} : { maxTokens }) };
}
