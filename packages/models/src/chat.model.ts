import type { BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import type { ChatEvent, ChatMessage, ChatModel, ChatRequest } from './chat-model.port.js';
import {
  CHAT_PROVIDERS,
  type ChatModelName,
  type ChatProvider,
  requireProviderPackage,
} from './chat-providers.js';
import { openLangChainModel } from './langchain-chat.js';
import type { ModelCall, OnModelCall } from './model-call.js';
import { ModelError } from './model.error.js';
import { type ProviderConnection, requireUsableConnection } from './provider-connection.js';
import { isUnsupportedSetting, tooLong, toModelError } from './provider-errors.js';
import { WellFormedDeltas } from './well-formed-deltas.js';

const FIRST_TOKEN_TIMEOUT_MS = 60_000;
const TOTAL_TIMEOUT_MS = 300_000;
/** Some 100,000 tokens. Models write a tenth of that at most. */
const MAX_CHARACTERS = 400_000;

export interface ChatModelOptions extends ChatModelName, ProviderConnection {
  /** Timeout of the first piece of text. Default 60,000. */
  firstTokenTimeoutMs?: number;
  /** Timeout of the whole answer, including the time that the caller needs to consume it. Default 300,000. */
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
  // Until a request shows the opposite.
  let acceptsSampling = true;
  return {
    name: options.model,
    async *stream(request, { signal }) {
      const isComplete = acceptsSampling;
      try {
        yield* streamAnswer(options, isComplete ? request : withoutSampling(request), signal);
      } catch (error) {
        // Providers reject a setting before the first piece of text.
        if (!isComplete || !isUnsupportedSetting(error)) throw error;
        yield* streamAnswer(options, withoutSampling(request), signal);
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

async function* streamAnswer(
  options: ChatModelOptions,
  request: ChatRequest,
  callerSignal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  callerSignal.throwIfAborted();
  const { firstTokenTimeoutMs = FIRST_TOKEN_TIMEOUT_MS, totalTimeoutMs = TOTAL_TIMEOUT_MS } = options;
  const controller = new AbortController();
  const abortAfter = (ms: number, message: string): NodeJS.Timeout =>
    setTimeout(() => controller.abort(new ModelError('transient', `${message} within ${ms} ms.`)), ms);
  const firstTimer = abortAfter(firstTokenTimeoutMs, 'The model did not return a first word');
  const totalTimer = abortAfter(totalTimeoutMs, 'The model did not return a complete answer');
  const signal = AbortSignal.any([callerSignal, controller.signal]);

  const started = performance.now();
  let outcome: ModelCall['outcome'] = 'aborted';
  const deltas = new WellFormedDeltas();
  const usage = { inputTokens: 0, outputTokens: 0 };
  let complete = false;
  let characters = 0;
  try {
    for await (const chunk of await openStream(options, request, signal)) {
      complete ||= isLast(options.provider, chunk);
      characters += chunk.text.length;
      if (characters > MAX_CHARACTERS) throw tooLong();
      const text = deltas.push(chunk.text);
      if (chunk.text) clearTimeout(firstTimer);
      if (text) yield { text };
      const counted = usageOf(chunk);
      usage.inputTokens += counted.inputTokens;
      usage.outputTokens += counted.outputTokens;
    }
    // Most clients end their stream without an error if it is aborted or if the connection closes early.
    signal.throwIfAborted();
    if (!complete) throw new ModelError('transient', 'The model provider ended the answer early.');
    outcome = 'done';
    const remainder = deltas.flush();
    if (remainder) yield { text: remainder };
    if (usage.inputTokens + usage.outputTokens > 0) yield { usage };
  } catch (error) {
    if (callerSignal.aborted) throw callerSignal.reason;
    const failure = toModelError(signal.aborted ? signal.reason : error, CHAT_PROVIDERS[options.provider]);
    outcome = failure.kind;
    throw failure;
  } finally {
    clearTimeout(firstTimer);
    clearTimeout(totalTimer);
    controller.abort();
    options.onCall?.({ kind: 'chat', outcome, seconds: (performance.now() - started) / 1_000, ...usage });
  }
}

/**
 * Bypasses LangChain's callback manager, which `stream()` uses: it sends every prompt to LangSmith if
 * variables such as `LANGCHAIN_TRACING_V2` are set in the environment.
 */
async function openStream(
  options: ChatModelOptions,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<AsyncGenerator<ChatGenerationChunk>> {
  const timeout = options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS;
  const chatModel = await openLangChainModel({ ...options, request, signal, timeout });
  return chatModel._streamResponseChunks(await toLangChain(request.messages), { signal });
}

async function toLangChain(messages: readonly ChatMessage[]): Promise<BaseMessage[]> {
  const { AIMessage, HumanMessage, SystemMessage } = await import('@langchain/core/messages');
  const classes = { system: SystemMessage, user: HumanMessage, assistant: AIMessage };
  return messages.map(({ role, content }) => new classes[role](content));
}

/** Whether a chunk has the reason of the end, which every provider sends with the last piece of text. */
function isLast(provider: ChatProvider, { generationInfo, message }: ChatGenerationChunk): boolean {
  switch (provider) {
    case 'openai':
      return generationInfo?.['finish_reason'] !== undefined;
    case 'anthropic':
      return typeof message.additional_kwargs['stop_reason'] === 'string';
    case 'google-genai':
      // LangChain adds a `generationInfo.finishReason` of its own to malformed frames.
      return message.additional_kwargs['finishReason'] !== undefined;
    case 'mistralai':
      return generationInfo?.['finishReason'] !== undefined;
    case 'ollama':
      return message.response_metadata['done_reason'] !== undefined;
  }
}

/** Tokens counted in a chunk. LangChain's contract: the usage of an answer is the sum over its chunks. */
function usageOf({ message }: ChatGenerationChunk): { inputTokens: number; outputTokens: number } {
  const usage = 'usage_metadata' in message ? message.usage_metadata : undefined;
  return isUsage(usage)
    ? { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens }
    : { inputTokens: 0, outputTokens: 0 };
}

function isUsage(value: unknown): value is { input_tokens: number; output_tokens: number } {
  if (typeof value !== 'object' || value === null) return false;
  if (!('input_tokens' in value) || !('output_tokens' in value)) return false;
  return typeof value.input_tokens === 'number' && typeof value.output_tokens === 'number';
}
