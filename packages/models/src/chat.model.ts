import { remoteFetch } from '@citewell/web/remote-fetch';
import type { ChatModel, ChatRequest } from './model.port.js';
import { CHAT_PROVIDERS, type ChatModelName, requireProviderPackage } from './providers.js';
import { streamAnswer } from './chat-stream.js';
import type { OnModelCall } from './model-call.js';
import { ModelError, type ModelSetting } from './model.error.js';
import { OllamaContext } from './ollama-context.js';
import { type ProviderConnection, requireUsableConnection } from './provider-connection.js';
import { ReasoningMemory } from './reasoning/reasoning-memory.js';

/** An address that has the end of an answer itself. */
const PREPARED_ANSWER = `data:text/event-stream,${encodeURIComponent('data: [DONE]\n\n')}`;
const PREPARED_REQUEST: ChatRequest = { messages: [{ role: 'user', content: '' }] };

export interface ChatModelOptions extends ChatModelName, ProviderConnection {
  /** Of Azure. Default: see `langchain-chat.ts`. Addresses with `/openai/v1` need no version. */
  apiVersion?: string;
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
  requireUsableConnection(options, options.names ?? CHAT_PROVIDERS[options.provider]);
  const memory = new ReasoningMemory(options.model);
  // Grows when a request succeeds without a setting that was refused before.
  let refused: ReadonlySet<ModelSetting> = new Set();
  const ollama = options.provider === 'ollama' ? new OllamaContext(options) : null;
  return {
    name: options.model,
    prepare: () => prepare(options),
    ...(ollama ? { contextTokens: (signal: AbortSignal) => ollama.limit(signal) } : {}),
    async *stream(request, { signal }) {
      let left = refused;
      const numCtx = await ollama?.sizeFor(request, signal);
      for (;;) {
        try {
          for await (const event of streamAnswer(options, memory, { request, left, numCtx }, signal)) {
            if (left !== refused) refused = new Set([...refused, ...left]);
            left = refused;
            yield event;
          }
          return;
        } catch (error) {
          // Providers reject a setting before the first piece of text.
          const settings = error instanceof ModelError ? (error.refusedSettings ?? []) : [];
          if (settings.every((setting) => left.has(setting))) throw error;
          left = new Set([...left, ...settings]);
        }
      }
    },
  };
}

/**
 * Reads an empty answer in the format of OpenAI that no server has sent. This loads the client of the provider. The clients of
 * other formats fail at it, which is enough.
 */
async function prepare(options: ChatModelOptions): Promise<void> {
  const { fetcher: send = remoteFetch } = options;
  const fetcher = (): Promise<Response> => send(PREPARED_ANSWER);
  const call = { request: PREPARED_REQUEST, left: new Set<ModelSetting>(), numCtx: undefined };
  const { signal } = new AbortController();
  const memory = new ReasoningMemory(options.model);
  try {
    const unseen = { ...options, fetcher, onCall: () => undefined };
    for await (const event of streamAnswer(unseen, memory, call, signal)) void event;
  } catch {
    // The first question tells what is wrong.
  }
}

function requireKeyOrAddress({ provider, model, baseUrl, apiKey, names }: ChatModelOptions): void {
  const { urlVariable, keyVariable } = names ?? CHAT_PROVIDERS[provider];
  if (provider === 'azure' && !baseUrl)
    throw new ModelError(
      'permanent',
      `The chat model ${model} belongs to Azure, but ${urlVariable} is not set. Set it to the address of the resource, ` +
        'such as https://my-resource.openai.azure.com',
    );
  if (provider === 'ollama' || apiKey || baseUrl) return;
  throw new ModelError(
    'permanent',
    `The chat model ${model} belongs to the provider ${provider}, but ${keyVariable} is not set. Set it, or set ` +
      `${urlVariable} to the address of a server that needs no key. Models of other providers begin with ` +
      `${Object.keys(CHAT_PROVIDERS).join(':, ')}:`,
  );
}

/** The text of a complete answer. @throws ModelError, or the reason of the signal */
export async function readText(model: ChatModel, request: ChatRequest, signal: AbortSignal): Promise<string> {
  let text = '';
  for await (const event of model.stream(request, { signal })) {
    if ('text' in event) text += event.text;
    else if ('retracted' in event) text = '';
  }
  return text;
}
