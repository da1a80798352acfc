import type { ChatAnthropicInput } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { ChatGoogleParams } from '@langchain/google';
import type { ChatMistralAIInput } from '@langchain/mistralai';
import type { ChatOllamaInput } from '@langchain/ollama';
import type { ChatRequest } from './chat-model.port.js';
import { CHAT_PROVIDERS, type ChatModelName, type ChatProvider } from './chat-providers.js';
import { connectionFields, NO_KEY, type ProviderConnection } from './provider-connection.js';
import { unsupportedSetting } from './provider-errors.js';

/** Everything that LangChain needs for one call. */
export interface ChatCall extends ChatModelName, ProviderConnection {
  request: ChatRequest;
  /** Closes the connection to the provider. */
  signal: AbortSignal;
  /** In milliseconds. */
  timeout: number;
}

/**
 * Opens LangChain's model for one call. Imports LangChain when first called.
 *
 * Every option that LangChain or a client of a provider reads from an environment variable is set, so that no
 * variable can redirect a prompt. Nothing here retries: the caller knows the attempts and the rate limits.
 *
 * @throws ModelError that is an `isUnsupportedSetting` if the model is known to reject a setting
 */
export async function openLangChainModel(
  call: ChatCall,
): Promise<Pick<BaseChatModel, '_streamResponseChunks'>> {
  if (call.provider === 'openai') {
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

/** The default of `outputVersion` comes from the variable LC_OUTPUT_VERSION. */
const COMMON_FIELDS = { maxRetries: 0, outputVersion: 'v0', streamUsage: true } as const;

type OpenAIFields = ConstructorParameters<typeof import('@langchain/openai').ChatOpenAICompletions>[0];

function openAIFields({ model, request, timeout, ...connection }: ChatCall): OpenAIFields {
  const { temperature, maxTokens, topP, presencePenalty, frequencyPenalty } = request;
  return {
    ...COMMON_FIELDS,
    ...connectionFields(connection),
    model,
    timeout,
    ...defined({ temperature, maxTokens, topP, presencePenalty, frequencyPenalty }),
  };
}

/** Settings that a provider does not have are left out. */
function fieldsOf(provider: Exclude<ChatProvider, 'openai'>, call: ChatCall): object {
  const { temperature, maxTokens, topP, presencePenalty, frequencyPenalty } = call.request;
  const baseUrl = call.baseUrl || CHAT_PROVIDERS[provider].baseUrl;
  const apiKey = call.apiKey || NO_KEY;
  switch (provider) {
    case 'anthropic':
      return {
        apiKey,
        anthropicApiUrl: baseUrl,
        clientOptions: { authToken: null, logLevel: 'off', timeout: call.timeout },
        ...defined({ temperature, maxTokens, topP }),
      } satisfies Partial<ChatAnthropicInput>;
    case 'google-genai':
      return {
        apiKey,
        endpoint: baseUrl,
        platformType: 'gai',
        ...defined({ temperature, maxOutputTokens: maxTokens, topP, presencePenalty, frequencyPenalty }),
      } satisfies Partial<ChatGoogleParams>;
    case 'mistralai':
      return {
        apiKey,
        serverURL: baseUrl,
        // LangChain does not pass the signal on to this client.
        beforeRequestHooks: [(request: Request): Request => new Request(request, { signal: call.signal })],
        ...defined({ temperature, maxTokens, topP, presencePenalty, frequencyPenalty }),
      } satisfies ChatMistralAIInput;
    case 'ollama':
      return {
        baseUrl,
        // Only Ollama's cloud and proxies check keys.
        ...(call.apiKey ? { headers: { authorization: `Bearer ${call.apiKey}` } } : {}),
        // LangChain does not pass the signal on to this client either.
        fetch: (url: string | URL | Request, init?: RequestInit) =>
          fetch(url, { ...init, signal: call.signal }),
        ...defined({ temperature, numPredict: maxTokens, topP, presencePenalty, frequencyPenalty }),
      } satisfies ChatOllamaInput;
  }
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes the properties that are undefined. */
function defined<T extends object>(properties: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}
