import { remoteFetch, withoutTrailingSlashes } from '@citewell/web/remote-fetch';
import type { ChatRequest } from './model.port.js';
import { estimateTokens } from './embedding-batches.js';
import { property } from './property.js';
import type { ProviderConnection } from './provider-connection.js';

const DEFAULT_URL = 'http://127.0.0.1:11434';
const TIMEOUT_MS = 5_000;
/** Ollama loads a model anew for another size, so there are few sizes, and the size of a model only grows. */
const SMALLEST = 8_192;
/** For the answer, if the request does not limit it; models that reason write more than the answer. */
const ANSWER_TOKENS = 2_048;
/** The template of the model adds some tokens to each message. */
const MESSAGE_TOKENS = 16;

/** What Ollama tells about a model. */
interface ShownModel {
  /** The longest context that the model was made for. */
  limit: number | null;
  /** The size in the operator's Modelfile. */
  configured: number | null;
}

/**
 * The size of the context for a model of Ollama, which cuts the beginning of longer prompts off without an error. Its own
 * default is 2,048 to 4,096 tokens.
 */
export class OllamaContext {
  private shown: Promise<ShownModel | null> | undefined;
  private size = 0;

  constructor(private readonly model: ProviderConnection & { model: string }) {}

  /** The longest context of the model in tokens; null if Ollama does not say. */
  async limit(signal: AbortSignal): Promise<number | null> {
    return (await this.show(signal))?.limit ?? null;
  }

  /** The `num_ctx` for a request: enough for prompt and answer, within the limit of the model. */
  async sizeFor({ messages, maxTokens = ANSWER_TOKENS }: ChatRequest, signal: AbortSignal): Promise<number> {
    const shown = await this.show(signal);
    const prompt = messages.reduce((sum, { content }) => sum + estimateTokens(content) + MESSAGE_TOKENS, 0);
    let needed = Math.max(SMALLEST, this.size, shown?.configured ?? 0);
    while (needed < prompt + maxTokens) needed *= 2;
    this.size = Math.min(needed, shown?.limit ?? needed);
    return this.size;
  }

  private async show(signal: AbortSignal): Promise<ShownModel | null> {
    // All requests share the answer, so it must not end with the signal of one of them.
    this.shown ??= this.request();
    const shown = await untilAborted(this.shown, signal);
    // Ollama may be starting.
    if (shown === null) this.shown = undefined;
    return shown;
  }

  private async request(): Promise<ShownModel | null> {
    const { baseUrl, apiKey, model, fetcher = remoteFetch } = this.model;
    try {
      const response = await fetcher(`${withoutTrailingSlashes(baseUrl || DEFAULT_URL)}/api/show`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
        },
        body: JSON.stringify({ model }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      // A server without this endpoint does not get it later.
      if (!response.ok) return { limit: null, configured: null };
      return readShown(await response.json());
    } catch {
      return null;
    }
  }
}

/** The result of a promise that does not reject. @throws the reason of the signal, as soon as it is aborted */
async function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function readShown(body: unknown): ShownModel {
  const info = property(body, 'model_info');
  const entries = typeof info === 'object' && info !== null ? Object.entries(info) : [];
  const [, limit] = entries.find(([name]) => name.endsWith('.context_length')) ?? [];
  const parameters = property(body, 'parameters');
  const [, configured] = /^num_ctx\s+(\d+)/m.exec(typeof parameters === 'string' ? parameters : '') ?? [];
  return {
    limit: typeof limit === 'number' && limit > 0 ? limit : null,
    configured: configured === undefined ? null : Number(configured),
  };
}
