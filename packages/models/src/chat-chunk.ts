import type { ChatGenerationChunk } from '@langchain/core/outputs';
import type { FinishReason } from './chat-model.port.js';
import type { ChatProvider } from './chat-providers.js';
import { property } from './property.js';

/** What a chunk of an answer adds. */
export interface ChatChunk {
  text: string;
  /** Why the answer ends; undefined until the provider says so, which it does with the last piece of text. */
  finish: FinishReason | undefined;
  /** LangChain's contract: the usage of an answer is the sum over its chunks. */
  inputTokens: number;
  outputTokens: number;
}

export function readChunk(provider: ChatProvider, chunk: ChatGenerationChunk): ChatChunk {
  const reason = reasonOf(provider, chunk);
  return {
    text: textOf(chunk.message.content),
    finish: typeof reason === 'string' ? toFinishReason(reason) : undefined,
    ...usageOf(chunk),
  };
}

/** The text for the reader: without the parts in which providers send reasoning. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter((part) => property(part, 'type') === 'text' && property(part, 'thought') !== true)
    .map((part) => property(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
}

function reasonOf(provider: ChatProvider, { generationInfo, message }: ChatGenerationChunk): unknown {
  switch (provider) {
    case 'openai':
    case 'azure':
      return generationInfo?.['finish_reason'];
    case 'anthropic':
      return message.additional_kwargs['stop_reason'];
    case 'google-genai':
      // LangChain adds a `generationInfo.finishReason` of its own to malformed frames.
      return message.additional_kwargs['finishReason'];
    case 'mistralai':
      return generationInfo?.['finishReason'];
    case 'ollama':
      return message.response_metadata['done_reason'];
  }
}

/** The reasons of all providers, in lower case. Others are ends that they intended. */
const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  content_filter: 'content_filter',
  safety: 'content_filter',
  recitation: 'content_filter',
  blocklist: 'content_filter',
  prohibited_content: 'content_filter',
  spii: 'content_filter',
  language: 'content_filter',
  refusal: 'refusal',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'tool_calls',
  malformed_function_call: 'tool_calls',
  unexpected_tool_call: 'tool_calls',
  error: 'error',
  abort: 'error',
  cancelled: 'error',
  other: 'error',
  unload: 'error',
  insufficient_system_resource: 'error',
};

function toFinishReason(reason: string): FinishReason {
  const known = reason.toLowerCase();
  return (Object.hasOwn(FINISH_REASONS, known) ? FINISH_REASONS[known] : undefined) ?? 'stop';
}

function usageOf({ message }: ChatGenerationChunk): { inputTokens: number; outputTokens: number } {
  const usage = 'usage_metadata' in message ? message.usage_metadata : undefined;
  const [input, output] = [property(usage, 'input_tokens'), property(usage, 'output_tokens')];
  return {
    inputTokens: typeof input === 'number' ? input : 0,
    outputTokens: typeof output === 'number' ? output : 0,
  };
}
