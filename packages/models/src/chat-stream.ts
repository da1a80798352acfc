import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import type { ChatEvent, ChatMessage, ChatTool, FinishReason, ToolCall } from './model.port.js';
import { CHAT_PROVIDERS, type ChatProvider } from './providers.js';
import type { ChatModelOptions } from './chat.model.js';
import { type ChatCall, openLangChainModel } from './langchain-chat.js';
import type { ModelCall } from './model-call.js';
import { ModelError } from './model.error.js';
import { toModelError, tooLong } from './provider-errors.js';
import type { ErrorResponse } from './provider-fetch.js';
import { type FilteredText, ReasoningFilter } from './reasoning/reasoning.filter.js';
import type { ReasoningMemory } from './reasoning/reasoning-memory.js';
import { settingsOf, withoutSettings } from './refused-settings.js';
import { property } from './property.js';
import { parsed, ToolCallReader } from './tool-calls.js';

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

const IDLE_TIMEOUT_MS = 60_000;
const TOTAL_TIMEOUT_MS = 600_000;
/** Some 100,000 tokens. Models write a tenth of that at most. */
const MAX_CHARACTERS = 400_000;
/** The filters of an answer take up to 10 µs per character. Longer texts are passed on in several turns of the event loop. */
const MAX_PIECE = 2_048;

/** The text of an answer: without reasoning and calls of tools, and never ending inside a surrogate pair. */
class AnswerReader {
  private readonly filter: ReasoningFilter;
  private readonly calls: ToolCallReader;
  private readonly deltas = new WellFormedDeltas();
  private characters = 0;
  private hasText = false;

  constructor(
    private readonly memory: ReasoningMemory,
    messages: readonly ChatMessage[],
    tools: readonly ChatTool[],
  ) {
    this.filter = new ReasoningFilter(memory.ruleFor(messages));
    this.calls = new ToolCallReader(tools);
  }

  async *push(delta: string): AsyncGenerator<ChatEvent> {
    this.characters += delta.length;
    if (this.characters > MAX_CHARACTERS) throw tooLong();
    for await (const piece of inPieces(this.deltas.push(delta))) yield* this.events(this.filter.push(piece));
  }

  async *end(finish: FinishReason, calls: readonly ToolCall[] = []): AsyncGenerator<ChatEvent> {
    yield* this.events(this.filter.push(this.deltas.flush()));
    const startsInReasoning = this.memory.isCutReasoning(this.filter, finish);
    yield* this.events(this.filter.flush({ startsInReasoning }));
    this.memory.learn(this.filter, finish);
    yield* this.calls.flush(calls);
    const isIncomplete = finish === 'stop' && this.filter.endsInReasoning && this.hasText;
    yield { finishReason: isIncomplete ? 'error' : finish };
  }

  private async *events({ text, retracts }: FilteredText): AsyncGenerator<ChatEvent> {
    if (retracts) {
      this.hasText = false;
      this.calls.clear();
      yield { retracted: true };
    }
    if (text === '') return;
    this.hasText ||= text.trim() !== '';
    for await (const piece of inPieces(text)) yield* this.calls.push(piece);
  }
}

/** The parts of a text, none of which ends inside a surrogate pair. Other work has a turn of the event loop between two. */
async function* inPieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length;) {
    if (at > 0) await nextTurn();
    const size = isHighSurrogate(text.charCodeAt(at + MAX_PIECE - 1)) ? MAX_PIECE - 1 : MAX_PIECE;
    yield text.slice(at, (at += size));
  }
}

/**
 * Sends one request to the provider, and reads its answer.
 *
 * @param left settings that are left out, because the model refuses them
 */
export async function* streamAnswer(
  options: ChatModelOptions,
  memory: ReasoningMemory,
  { request, left, numCtx }: Pick<ChatCall, 'request' | 'left' | 'numCtx'>,
  callerSignal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  callerSignal.throwIfAborted();
  const { idleTimeoutMs = IDLE_TIMEOUT_MS, totalTimeoutMs = TOTAL_TIMEOUT_MS } = options;
  const controller = new AbortController();
  const abort = (message: string): void => controller.abort(new ModelError('transient', message));
  const idle = new IdleTimer(idleTimeoutMs, () => abort(`The model sent nothing for ${idleTimeoutMs} ms.`));
  const totalTimer = setTimeout(
    () => abort(`The model did not return a complete answer within ${totalTimeoutMs} ms.`),
    totalTimeoutMs,
  );
  const signal = AbortSignal.any([callerSignal, controller.signal]);

  const started = performance.now();
  let outcome: ModelCall['outcome'] = 'aborted';
  const answer = new AnswerReader(memory, request.messages, request.tools ?? []);
  const usage = { inputTokens: 0, outputTokens: 0 };
  let finish: FinishReason | undefined;
  let calls: AIMessageChunk | undefined;
  let response: ErrorResponse | undefined;
  let failure: ModelError | undefined;
  try {
    idle.start();
    const stream = await openStream(options, {
      request: withoutSettings(request, left),
      left,
      numCtx,
      signal,
      onBytes: () => idle.touch(),
      onError: (received) => void (response = received),
    });
    for await (const chunk of stream) {
      // A caller that takes its time is no silence of the model.
      idle.stop();
      const read = readChunk(options.provider, chunk);
      finish ??= read.finish;
      if (request.tools && isCall(chunk.message)) calls = calls?.concat(chunk.message) ?? chunk.message;
      usage.inputTokens += read.inputTokens;
      usage.outputTokens += read.outputTokens;
      yield* answer.push(read.text);
      idle.start();
    }
    // Most clients end their stream without an error if it is aborted or if the connection closes early.
    signal.throwIfAborted();
    if (finish === undefined) throw new ModelError('transient', 'The model provider ended the answer early.');
    outcome = 'done';
    yield* answer.end(finish, toolCallsOf(calls));
    if (usage.inputTokens + usage.outputTokens > 0) yield { usage };
  } catch (error) {
    if (callerSignal.aborted) throw callerSignal.reason;
    failure = toModelError(signal.aborted ? signal.reason : error, {
      variables: options.names ?? CHAT_PROVIDERS[options.provider],
      response,
      secrets: options.apiKey ? [options.apiKey] : [],
      prompts: request.messages.map(({ content }) => content),
      settings: settingsOf(options.provider, request).filter((setting) => !left.has(setting)),
    });
    outcome = failure.kind;
    // The provider stopped the answer before it began: the same as when it stops one later.
    if (failure.reason === 'content-filter') return yield* answer.end('content_filter');
    throw failure;
  } finally {
    idle.stop();
    clearTimeout(totalTimer);
    controller.abort();
    options.onCall?.({
      kind: 'chat',
      outcome,
      seconds: (performance.now() - started) / 1_000,
      ...usage,
      failure,
    });
  }
}

/**
 * Bypasses LangChain's callback manager, which `stream()` uses: it sends every prompt to LangSmith if
 * variables such as `LANGCHAIN_TRACING_V2` are set in the environment.
 */
async function openStream(
  options: ChatModelOptions,
  call: Omit<ChatCall, keyof ChatModelOptions | 'timeout'>,
): Promise<AsyncGenerator<ChatGenerationChunk>> {
  const timeout = options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS;
  const chatModel = await openLangChainModel({ ...options, ...call, timeout });
  const { request, signal } = call;
  const messages = await toLangChain(request.messages);
  if (!request.tools) return chatModel._streamResponseChunks(messages, { signal });
  const withTools = { signal, tools: toolsOf(options.provider, request.tools) };
  return chatModel._streamResponseChunks(messages, withTools);
}

/** The tools as LangChain's model of a provider takes them. */
function toolsOf(provider: ChatProvider, tools: readonly ChatTool[]): object[] {
  return tools.map(({ name, description, parameters }) =>
    provider === 'anthropic'
      ? { name, description, input_schema: parameters }
      : { type: 'function', function: { name, description, parameters } },
  );
}

async function toLangChain(messages: readonly ChatMessage[]): Promise<BaseMessage[]> {
  const { AIMessage, HumanMessage, SystemMessage } = await import('@langchain/core/messages');
  const classes = { system: SystemMessage, user: HumanMessage, assistant: AIMessage };
  return messages.map(({ role, content, pictures = [] }) => {
    if (pictures.length === 0) return new classes[role](content);
    const urls = pictures.map(
      ({ mimeType, file }) => `data:${mimeType};base64,${Buffer.from(file).toString('base64')}`,
    );
    const parts = urls.map((url) => ({ type: 'image_url' as const, image_url: { url } }));
    return new classes[role]([{ type: 'text', text: content }, ...parts]);
  });
}

/** Calls a function when nothing has happened for a time, while it runs. */
class IdleTimer {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly timeoutMs: number,
    private readonly onIdle: () => void,
  ) {}

  start(): void {
    this.stop();
    this.timer = setTimeout(this.onIdle, this.timeoutMs);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Something has happened. */
  touch(): void {
    this.timer?.refresh();
  }
}

/**
 * Rejoins surrogate pairs that a provider splits between two deltas: a high surrogate is buffered until the
 * next delta. The concatenated output equals the concatenated input.
 */
export class WellFormedDeltas {
  private buffered = '';

  /** Adds a delta and returns the text that can be emitted, possibly empty. */
  push(delta: string): string {
    const text = this.buffered + delta;
    const end = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    this.buffered = text.slice(end);
    return text.slice(0, end);
  }

  /** Returns the buffered text: an unpaired high surrogate, or nothing. */
  flush(): string {
    const remainder = this.buffered;
    this.buffered = '';
    return remainder;
  }
}

/** Whether a code unit is the first half of a surrogate pair. */
function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** What a chunk of an answer adds. */
interface ChatChunk {
  text: string;
  /** Why the answer ends; undefined until the provider says so, which it does with the last piece of text. */
  finish: FinishReason | undefined;
  /** LangChain's contract: the usage of an answer is the sum over its chunks. */
  inputTokens: number;
  outputTokens: number;
}

function readChunk(provider: ChatProvider, chunk: ChatGenerationChunk): ChatChunk {
  const reason = reasonOf(provider, chunk);
  return {
    text: textOf(chunk.message.content),
    finish: typeof reason === 'string' ? toFinishReason(reason) : undefined,
    ...usageOf(chunk),
  };
}

function isCall(message: ChatGenerationChunk['message']): message is AIMessageChunk {
  const { tool_call_chunks: pieces, tool_calls: whole } = message as Partial<AIMessageChunk>;
  return (pieces?.length ?? 0) + (whole?.length ?? 0) > 0;
}

/** Calls whose arguments are no JSON have none. */
function toolCallsOf(message: AIMessageChunk | undefined): ToolCall[] {
  const { tool_calls: calls = [], invalid_tool_calls: invalid = [] } = message ?? {};
  return [
    ...calls.map(({ name, args }) => ({ name, arguments: args as ToolCall['arguments'] })),
    ...invalid.map(({ name = '', args = '' }) => ({ name, arguments: parsed(args) ?? {} })),
  ];
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
