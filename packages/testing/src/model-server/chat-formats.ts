import type { ErrorReply } from './model-server.script.js';

/** Providers whose chat endpoint the server speaks. */
export type ChatProvider = 'openai' | 'azure' | 'anthropic' | 'google-genai' | 'mistralai' | 'ollama';

export interface TokenUsage {
  input: number;
  output: number;
}

/** Wire format of a streamed chat. Frames are complete pieces of the body. */
export interface ChatFormat {
  /** Matches the path below the base URL. */
  path: RegExp;
  contentType: string;
  /** The frames before the text. */
  head(usage: TokenUsage): string;
  delta(text: string): string;
  /** A piece of the reasoning, in the provider's own form. */
  reasoning(text: string): string;
  /** The frames after the text: finish reason and usage. @param finish the provider's word for the reason of the end */
  tail(usage: TokenUsage, body: Json, finish?: string): string;
  /** A failure during the stream. */
  failure: string;
  /** Texts of the prompt. */
  prompt(body: Json): unknown[];
  /** Body of an error response. */
  error(reply: ErrorReply): object;
}

type Json = Record<string, unknown>;

const EVENT_STREAM = 'text/event-stream';
const DEFAULT_MESSAGE = 'scripted failure';

const sse = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const line = (data: object): string => `${JSON.stringify(data)}\n`;

/** Sources: the API references of the providers, at the versions that their LangChain packages use. */
const FORMATS: Record<Exclude<ChatProvider, 'azure'>, ChatFormat> = {
  openai: {
    path: /^\/chat\/completions$/,
    contentType: EVENT_STREAM,
    head: () => completion([choice({ role: 'assistant', content: '' })]),
    delta: (content) => completion([choice({ content })]),
    // DeepSeek, vLLM and Ollama use one of the two names.
    reasoning: (text) =>
      completion([choice({ reasoning_content: text })]) +
      completion([choice({ content: '', reasoning: text })]),
    tail: (usage, body, finish = 'stop') =>
      completion([choice({}, finish)]) +
      (asObject(body.stream_options).include_usage === true
        ? completion([], { usage: openAIUsage(usage) })
        : '') +
      'data: [DONE]\n\n',
    failure: sse({ error: { message: DEFAULT_MESSAGE, type: 'server_error', code: null } }),
    prompt: (body) => contents(body.messages),
    error: ({ status, code, message }) => ({
      error: { message: message ?? `scripted ${status}`, type: 'scripted', code: code ?? null },
    }),
  },

  anthropic: {
    path: /^\/v1\/messages$/,
    contentType: EVENT_STREAM,
    head: ({ input }) =>
      anthropicEvent('message_start', {
        message: {
          id: 'msg_test',
          type: 'message',
          role: 'assistant',
          model: 'test',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: input, output_tokens: 0 },
        },
      }) +
      anthropicEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
      anthropicEvent('ping', {}),
    delta: (text) => anthropicEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    reasoning: (thinking) =>
      anthropicEvent('content_block_start', {
        index: 1,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      }) +
      anthropicEvent('content_block_delta', { index: 1, delta: { type: 'thinking_delta', thinking } }) +
      anthropicEvent('content_block_delta', {
        index: 1,
        delta: { type: 'signature_delta', signature: 's' },
      }) +
      anthropicEvent('content_block_stop', { index: 1 }),
    tail: ({ output }, _body, finish = 'end_turn') =>
      anthropicEvent('content_block_stop', { index: 0 }) +
      anthropicEvent('message_delta', {
        delta: { stop_reason: finish, stop_sequence: null },
        usage: { output_tokens: output },
      }) +
      anthropicEvent('message_stop', {}),
    failure: anthropicEvent('error', { error: { type: 'overloaded_error', message: DEFAULT_MESSAGE } }),
    prompt: (body) => [body.system, ...contents(body.messages)],
    error: ({ status, code, message }) => ({
      type: 'error',
      error: { type: code ?? 'scripted', message: message ?? `scripted ${status}` },
    }),
  },

  'google-genai': {
    path: /^\/v1beta\/models\/[^/]+:streamGenerateContent\?alt=sse$/,
    contentType: EVENT_STREAM,
    head: () => '',
    delta: (text) => sse({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }] }),
    reasoning: (text) =>
      sse({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text, thought: true }] } }] }),
    tail: ({ input, output }, _body, finish = 'STOP') =>
      sse({
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '' }] }, finishReason: finish }],
        usageMetadata: {
          promptTokenCount: input,
          candidatesTokenCount: output,
          totalTokenCount: input + output,
        },
      }),
    failure: sse({ error: { code: 503, message: DEFAULT_MESSAGE, status: 'UNAVAILABLE' } }),
    prompt: (body) => [body.systemInstruction, ...asArray(body.contents)].flatMap(partsOf),
    error: ({ status, code, message }) => ({
      error: {
        code: status,
        message: message ?? `scripted ${status}`,
        status: 'SCRIPTED',
        details:
          code === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code }],
      },
    }),
  },

  mistralai: {
    path: /^\/v1\/chat\/completions$/,
    contentType: EVENT_STREAM,
    head: () => completion([choice({ role: 'assistant', content: '' })]),
    delta: (content) => completion([choice({ content })]),
    reasoning: (text) =>
      completion([choice({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] })]),
    tail: (usage, _body, finish = 'stop') =>
      completion([choice({ content: '' }, finish)], { usage: openAIUsage(usage) }) + 'data: [DONE]\n\n',
    failure: sse({ object: 'error', message: DEFAULT_MESSAGE, type: 'service_unavailable', code: '3505' }),
    prompt: (body) => contents(body.messages),
    error: ({ status, code, message }) => ({
      object: 'error',
      message: message ?? `scripted ${status}`,
      type: 'scripted',
      code: code ?? null,
    }),
  },

  ollama: {
    path: /^\/api\/chat$/,
    contentType: 'application/x-ndjson',
    head: () => '',
    delta: (content) => line({ model: 'test', message: { role: 'assistant', content }, done: false }),
    reasoning: (thinking) =>
      line({ model: 'test', message: { role: 'assistant', content: '', thinking }, done: false }),
    tail: ({ input, output }, _body, finish = 'stop') =>
      line({
        model: 'test',
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: finish,
        prompt_eval_count: input,
        eval_count: output,
      }),
    failure: line({ error: DEFAULT_MESSAGE }),
    prompt: (body) => contents(body.messages),
    error: ({ status, message }) => ({ error: message ?? `scripted ${status}` }),
  },
};

export const CHAT_FORMATS: Record<ChatProvider, ChatFormat> = {
  ...FORMATS,
  azure: {
    ...FORMATS.openai,
    path: /^\/openai\/(?:v1|deployments\/[^/]+)\/chat\/completions(?:\?api-version=[\w-]+)?$/,
  },
};

function completion(choices: object[], rest: object = {}): string {
  return sse({
    id: 'chatcmpl-test',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'test',
    choices,
    ...rest,
  });
}

function choice(delta: object, finishReason: string | null = null): object {
  return { index: 0, delta, finish_reason: finishReason };
}

function openAIUsage({ input, output }: TokenUsage): object {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function anthropicEvent(type: string, fields: object): string {
  return `event: ${type}\n${sse({ type, ...fields })}`;
}

function contents(messages: unknown): unknown[] {
  return asArray(messages).map((message) => asObject(message).content);
}

function partsOf(content: unknown): unknown[] {
  return asArray(asObject(content).parts).map((part) => asObject(part).text);
}

export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
