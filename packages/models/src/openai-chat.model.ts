import type { BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import type { ChatEvent, ChatMessage, ChatModel, ChatRequest } from './chat-model.port.js';
import { ModelError } from './model.error.js';
import { connectionFields, type ProviderConnection } from './provider-connection.js';
import { toModelError } from './provider-errors.js';
import { WellFormedDeltas } from './well-formed-deltas.js';

const FIRST_TOKEN_TIMEOUT_MS = 60_000;
const TOTAL_TIMEOUT_MS = 300_000;

export interface ChatModelOptions extends ProviderConnection {
  /** Name of the model at the provider. */
  model: string;
  /** Timeout of the first piece of text. Default 60,000. */
  firstTokenTimeoutMs?: number;
  /** Timeout of the whole answer, including the time that the caller needs to consume it. Default 300,000. */
  totalTimeoutMs?: number;
}

/** Creates a chat model of an OpenAI-compatible server. The first call of `stream` imports LangChain. */
export function createChatModel(options: ChatModelOptions): ChatModel {
  return { name: options.model, stream: (request, { signal }) => streamAnswer(options, request, signal) };
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

  const deltas = new WellFormedDeltas();
  let complete = false;
  try {
    for await (const chunk of await openStream(options, request, signal)) {
      complete ||= chunk.generationInfo?.['finish_reason'] !== undefined;
      const text = deltas.push(chunk.text);
      if (chunk.text) clearTimeout(firstTimer);
      if (text) yield { text };
      const usage = usageOf(chunk);
      if (usage) yield { usage };
    }
    // The client ends its stream without an error if it is aborted or if the connection closes early.
    signal.throwIfAborted();
    if (!complete) throw new ModelError('transient', 'The model provider ended the answer early.');
    const remainder = deltas.flush();
    if (remainder) yield { text: remainder };
  } catch (error) {
    throw signal.aborted ? signal.reason : toModelError(error);
  } finally {
    clearTimeout(firstTimer);
    clearTimeout(totalTimer);
    controller.abort();
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
  // Not `ChatOpenAI`: for some model names it uses the Responses endpoint, which only OpenAI's server has.
  const { ChatOpenAICompletions } = await import('@langchain/openai');
  const { temperature, maxTokens, topP, presencePenalty, frequencyPenalty } = request;
  const model = new ChatOpenAICompletions({
    ...connectionFields(options),
    model: options.model,
    streamUsage: true,
    // The default comes from the variable LC_OUTPUT_VERSION.
    outputVersion: 'v0',
    timeout: options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(topP === undefined ? {} : { topP }),
    ...(presencePenalty === undefined ? {} : { presencePenalty }),
    ...(frequencyPenalty === undefined ? {} : { frequencyPenalty }),
  });
  return model._streamResponseChunks(await toLangChain(request.messages), { signal });
}

async function toLangChain(messages: readonly ChatMessage[]): Promise<BaseMessage[]> {
  const { AIMessage, HumanMessage, SystemMessage } = await import('@langchain/core/messages');
  const classes = { system: SystemMessage, user: HumanMessage, assistant: AIMessage };
  return messages.map(({ role, content }) => new classes[role](content));
}

function usageOf({ message }: ChatGenerationChunk): { inputTokens: number; outputTokens: number } | null {
  if (!('usage_metadata' in message) || !isUsage(message.usage_metadata)) return null;
  return {
    inputTokens: message.usage_metadata.input_tokens,
    outputTokens: message.usage_metadata.output_tokens,
  };
}

function isUsage(value: unknown): value is { input_tokens: number; output_tokens: number } {
  if (typeof value !== 'object' || value === null) return false;
  if (!('input_tokens' in value) || !('output_tokens' in value)) return false;
  return typeof value.input_tokens === 'number' && typeof value.output_tokens === 'number';
}
