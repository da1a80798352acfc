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
  /** The provider's name for the model. */
  model: string;
  /** Longest wait for the first text. Default 60,000. */
  firstTokenTimeoutMs?: number;
  /** Longest time for the whole answer, the reader's own time included. Default 300,000. */
  totalTimeoutMs?: number;
}

/** A chat model of any OpenAI-compatible server. LangChain is imported with the first answer. */
export function createChatModel(options: ChatModelOptions): ChatModel {
  return { name: options.model, stream: (request, { signal }) => streamAnswer(options, request, signal) };
}

async function* streamAnswer(
  options: ChatModelOptions,
  request: ChatRequest,
  cancelled: AbortSignal,
): AsyncGenerator<ChatEvent> {
  cancelled.throwIfAborted();
  const { firstTokenTimeoutMs = FIRST_TOKEN_TIMEOUT_MS, totalTimeoutMs = TOTAL_TIMEOUT_MS } = options;
  const ended = new AbortController();
  const endAfter = (ms: number, what: string): NodeJS.Timeout =>
    setTimeout(
      () => ended.abort(new ModelError('transient', `The model gave no ${what} within ${ms} ms.`)),
      ms,
    );
  const firstTimer = endAfter(firstTokenTimeoutMs, 'first word');
  const totalTimer = endAfter(totalTimeoutMs, 'complete answer');
  const signal = AbortSignal.any([cancelled, ended.signal]);

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
    // The client below ends its stream in silence when it is aborted, and when the connection closes in good order.
    signal.throwIfAborted();
    if (!complete) throw new ModelError('transient', 'The model provider ended the answer half-way.');
    const rest = deltas.flush();
    if (rest) yield { text: rest };
  } catch (error) {
    throw signal.aborted ? signal.reason : toModelError(error);
  } finally {
    clearTimeout(firstTimer);
    clearTimeout(totalTimer);
    ended.abort();
  }
}

/**
 * Calls the model below LangChain's callback manager: `stream()` would consult it, and it sends every prompt to
 * LangSmith where variables such as `LANGCHAIN_TRACING_V2` are set, whoever set them.
 */
async function openStream(
  options: ChatModelOptions,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<AsyncGenerator<ChatGenerationChunk>> {
  // The Completions class, not `ChatOpenAI`: that one goes to the Responses endpoint for some names of models, and
  // servers other than OpenAI's do not have it.
  const { ChatOpenAICompletions } = await import('@langchain/openai');
  const { temperature, maxTokens, topP, presencePenalty, frequencyPenalty } = request;
  const model = new ChatOpenAICompletions({
    ...connectionFields(options),
    model: options.model,
    streamUsage: true,
    // Otherwise read from LC_OUTPUT_VERSION.
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
