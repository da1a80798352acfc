import type { ChatAnthropicInput } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { ChatGoogleParams } from '@langchain/google';
import type { ChatMistralAIInput } from '@langchain/mistralai';
import { type Fetch, withoutTrailingSlashes } from '@citewell/web/remote-fetch';
import type { ChatOllamaInput } from '@langchain/ollama';
import type { ChatRequest } from './model.port.js';
import type { ChatModelName, ChatProvider } from './providers.js';
import {
  clearEnvironment,
  connectionFields,
  NO_KEY,
  type ProviderConnection,
} from './provider-connection.js';
import { unsupportedSetting } from './provider-errors.js';
import type { ModelSetting } from './model.error.js';
import { type ErrorResponse, providerFetch } from './provider-fetch.js';
import { property } from './property.js';

/** Frames that LangChain reads wrongly. Others are passed on as they are. */
const REWRITTEN_FRAME = /"content":\s*\[|"refusal":\s*"|"blockReason"|"finish_reason":\s*"/;

const DATA_PREFIX = 'data:';

const FRAME_REWRITES: Partial<Record<ChatProvider, FrameRewrite>> = {
  openai: rewriteChoice,
  azure: rewriteChoice,
  mistralai: rewriteChoice,
  'google-genai': (frame) => {
    const blocked = property(property(frame, 'promptFeedback'), 'blockReason');
    if (typeof blocked !== 'string' || property(frame, 'candidates') !== undefined) return false;
    const finishReason = 'PROHIBITED_CONTENT';
    Object.assign(frame, { candidates: [{ index: 0, content: { role: 'model', parts: [] }, finishReason }] });
    return true;
  },
};

/** The last version that is no preview, when this was written. */
const AZURE_API_VERSION = '2024-10-21';

/** Everything that LangChain needs for one call. */
export interface ChatCall extends ChatModelName, ProviderConnection {
  request: ChatRequest;
  /** Closes the connection to the provider. */
  signal: AbortSignal;
  /** Settings that the model refuses. The request does not have them, except those that only this file sends. */
  left: ReadonlySet<ModelSetting>;
  /** Is called whenever bytes of the response arrive. */
  onBytes: () => void;
  /** Receives an error response. */
  onError: (response: ErrorResponse) => void;
  /** Of Ollama: the size of the context in tokens. */
  numCtx?: number | undefined;
  /** Of Azure. */
  apiVersion?: string;
  /** In milliseconds. */
  timeout: number;
}

/**
 * Opens LangChain's model for one call. Imports LangChain when first called. Nothing here retries: the caller knows the
 * attempts and the rate limits.
 *
 * @throws ModelError with `refusedSettings` if LangChain knows that the model rejects a setting
 */
export async function openLangChainModel(
  call: ChatCall,
): Promise<Pick<BaseChatModel, '_streamResponseChunks'>> {
  clearEnvironment();
  if (call.provider === 'openai' || call.provider === 'azure') {
    // Not `ChatOpenAI`: for some model names it uses the Responses endpoint, which only OpenAI's server has.
    const { ChatOpenAICompletions } = await import('@langchain/openai');
    return new ChatOpenAICompletions(openAIFields(call));
  }
  const { initChatModel } = await import('langchain/chat_models/universal');
  const model = await initChatModel(call.model, {
    // LangChain uses the name `google-genai` for the package that is not used.
    modelProvider: call.provider === 'google-genai' ? 'google' : call.provider,
    ...COMMON_FIELDS,
    ...fieldsOf(call.provider, call),
  });
  const opened = await model._getModelInstance();
  if (call.provider === 'anthropic') {
    try {
      // Checks the settings: LangChain knows the models of Anthropic that have no sampling settings.
      opened.invocationParams({});
    } catch {
      throw unsupportedSetting();
    }
  }
  return opened;
}

const COMMON_FIELDS = { maxRetries: 0, streamUsage: true } as const;

type OpenAIFields = ConstructorParameters<typeof import('@langchain/openai').ChatOpenAICompletions>[0];

function openAIFields(call: ChatCall): OpenAIFields {
  const { provider, model, request, timeout, left } = call;
  const { temperature, maxTokens, topP, presencePenalty, frequencyPenalty } = request;
  const { configuration, ...connection } = connectionFields(call, streamFetch(call));
  return {
    ...COMMON_FIELDS,
    ...connection,
    configuration: { ...configuration, ...(provider === 'azure' ? azureConfiguration(call) : {}) },
    streamUsage: !left.has('stream_options'),
    model,
    timeout,
    ...defined({ temperature, topP, presencePenalty, frequencyPenalty }),
    ...(left.has('max_tokens')
      ? { modelKwargs: defined({ max_completion_tokens: maxTokens }) }
      : defined({ maxTokens })),
  };
}

function azureConfiguration({ baseUrl = '', apiKey = '', model, apiVersion }: ChatCall): object {
  const address = azureAddress(baseUrl, model, apiVersion);
  // The header `authorization` is for tokens of Entra ID; keys have one of their own.
  const defaultHeaders = { 'api-key': apiKey };
  return { baseURL: address.baseUrl, defaultQuery: address.query, defaultHeaders };
}

/** Settings that a provider does not have are left out. */
function fieldsOf(provider: Exclude<ChatProvider, 'openai' | 'azure'>, call: ChatCall): object {
  const { temperature, maxTokens, topP, presencePenalty, frequencyPenalty } = call.request;
  const { baseUrl = '' } = call;
  const apiKey = call.apiKey || NO_KEY;
  const fetcher = streamFetch(call);
  switch (provider) {
    case 'anthropic':
      return {
        apiKey,
        clientOptions: { logLevel: 'off', timeout: call.timeout, fetch: fetcher },
        ...(baseUrl && { anthropicApiUrl: baseUrl }),
        // Newer models accept only one of the two.
        ...defined(topP === undefined ? { temperature, maxTokens } : { topP, maxTokens }),
      } satisfies Partial<ChatAnthropicInput>;
    case 'google-genai':
      return {
        apiClient: googleClient(apiKey, fetcher),
        platformType: 'gai',
        ...(baseUrl && { endpoint: baseUrl }),
        ...defined({ temperature, maxOutputTokens: maxTokens, topP, presencePenalty, frequencyPenalty }),
      } satisfies Partial<ChatGoogleParams>;
    case 'mistralai':
      return {
        apiKey,
        ...(baseUrl && { serverURL: baseUrl }),
        // LangChain does not pass the signal on to this client. The client calls only this method.
        httpClient: { request: fetcher } as unknown as MistralHttpClient,
        ...defined({ temperature, maxTokens, topP, presencePenalty, frequencyPenalty }),
      } satisfies ChatMistralAIInput;
    case 'ollama':
      return {
        ...(baseUrl && { baseUrl }),
        // Only Ollama's cloud and proxies check keys.
        ...(call.apiKey && { headers: { authorization: `Bearer ${call.apiKey}` } }),
        // LangChain does not pass the signal on to this client either.
        fetch: async (url: string | URL | Request, init?: RequestInit) =>
          withValidLines(await fetcher(url, init)),
        ...defined({
          temperature,
          numPredict: maxTokens,
          topP,
          presencePenalty,
          frequencyPenalty,
          numCtx: call.numCtx,
        }),
      } satisfies ChatOllamaInput;
  }
}

function streamFetch({ provider, signal, onBytes, onError, fetcher }: ChatCall): Fetch {
  const fetchStream = providerFetch({ signal, onBytes, onError, fetcher, maxBytes: 'stream' });
  return async (url, init) => withReadableFrames(provider, await fetchStream(url, init));
}

type MistralHttpClient = NonNullable<ChatMistralAIInput['httpClient']>;
type GoogleClient = NonNullable<ChatGoogleParams['apiClient']>;

/** LangChain's own client uses the global `fetch`. */
function googleClient(apiKey: string, fetcher: Fetch): GoogleClient {
  return {
    hasApiKey: () => true,
    getProjectId: () => Promise.reject(new Error('Only Vertex AI has projects.')),
    fetch: (request) => {
      request.headers.set('x-goog-api-key', apiKey);
      return fetcher(request);
    },
  };
}

/**
 * Fails a stream of JSON lines at the first line that is not JSON. Ollama's client would print the line, which is a part
 * of an answer, to the console.
 */
function withValidLines(response: Response): Response {
  if (!response.ok || !response.body) return response;
  let incomplete = '';
  const lines = new TransformStream<string, string>({
    transform(text, controller) {
      const parts = (incomplete + text).split('\n');
      incomplete = parts.pop() ?? '';
      for (const line of parts) if (line.trim() !== '') controller.enqueue(validLine(line));
    },
    flush(controller) {
      if (incomplete.trim() !== '') controller.enqueue(validLine(incomplete));
    },
  });
  const body = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(lines);
  return new Response(body.pipeThrough(new TextEncoderStream()), response);
}

function validLine(line: string): string {
  JSON.parse(line);
  return `${line}\n`;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes the properties that are undefined. */
function defined<T extends object>(properties: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}

/** How the chat endpoint of Azure is called. */
interface AzureAddress {
  /** Without `/chat/completions`. */
  baseUrl: string;
  query: Record<string, string>;
}

/**
 * The address of a deployment, from the address of a resource as the portal shows it:
 * `https://name.openai.azure.com`, the address of a deployment or of its endpoint, the `/openai/v1` of newer resources, or
 * the `/models` of Azure AI Foundry.
 */
export function azureAddress(endpoint: string, deployment: string, apiVersion?: string): AzureAddress {
  const url = new URL(endpoint);
  const path = withoutTrailingSlashes(url.pathname).replace(/\/chat\/completions$/, '');
  const version = apiVersion ?? url.searchParams.get('api-version');
  if (path.endsWith('/openai/v1'))
    return { baseUrl: url.origin + path, query: version ? { 'api-version': version } : {} };
  const isComplete = /\/openai\/deployments\/[^/]+$|\/models$/.test(path);
  const rest = isComplete
    ? ''
    : `${path.endsWith('/openai') ? '' : '/openai'}/deployments/${encodeURIComponent(deployment)}`;
  return { baseUrl: url.origin + path + rest, query: { 'api-version': version ?? AZURE_API_VERSION } };
}

/**
 * Rewrites the frames of a stream of server-sent events that LangChain would drop:
 * - content that is a list of parts, as reasoning models of Mistral and of vLLM send it: the text parts are kept,
 * - the refusal of a model of OpenAI, which becomes the text of the answer,
 * - the last frame of a server without `delta`, and that of Mistral without usage,
 * - the reason for which Google blocks a prompt.
 */
function withReadableFrames(provider: ChatProvider, response: Response): Response {
  if (!response.ok || !response.body || !(provider in FRAME_REWRITES)) return response;
  const rewrite = FRAME_REWRITES[provider];
  let incomplete = '';
  const readable = (line: string): string => {
    if (!rewrite || !line.startsWith(DATA_PREFIX) || !REWRITTEN_FRAME.test(line)) return line;
    const frame = parseFrame(line.slice(DATA_PREFIX.length));
    return frame === null || !rewrite(frame) ? line : `${DATA_PREFIX} ${JSON.stringify(frame)}`;
  };
  const lines = new TransformStream<string, string>({
    transform(text, controller) {
      const end = text.lastIndexOf('\n');
      // A long line that arrives in small pieces is not read again with each of them.
      if (end < 0) return void (incomplete += text);
      const complete = (incomplete + text.slice(0, end)).split('\n');
      incomplete = text.slice(end + 1);
      controller.enqueue(complete.map((line) => `${readable(line)}\n`).join(''));
    },
    flush(controller) {
      if (incomplete !== '') controller.enqueue(readable(incomplete));
    },
  });
  const body = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(lines);
  return new Response(body.pipeThrough(new TextEncoderStream()), response);
}

/** Changes a frame. @returns false if it is left as it is */
type FrameRewrite = (frame: object) => boolean;

function rewriteChoice(frame: object): boolean {
  const choices = property(frame, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (typeof choice !== 'object' || choice === null) return false;
  const delta = property(choice, 'delta') ?? {};
  if (typeof delta !== 'object') return false;
  const [content, refusal] = [property(delta, 'content'), property(delta, 'refusal')];
  const isEnd = typeof property(choice, 'finish_reason') === 'string';
  const text = Array.isArray(content) ? textOfParts(content) : typeof content === 'string' ? content : '';
  Object.assign(delta, { content: text + (typeof refusal === 'string' ? refusal : '') });
  if (typeof refusal === 'string' && refusal !== '') Object.assign(choice, { finish_reason: 'refusal' });
  Object.assign(choice, { delta });
  if (isEnd && !property(frame, 'usage'))
    Object.assign(frame, { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } });
  return true;
}

function textOfParts(parts: readonly unknown[]): string {
  return parts
    .filter((part) => property(part, 'type') === 'text')
    .map((part) => property(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
}

function parseFrame(json: string): object | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' ? value : null;
  } catch {
    // The client reports it.
    return null;
  }
}
