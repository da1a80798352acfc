import { withoutTrailingSlashes } from '@citewell/web/remote-fetch';
import { countCall, type OnModelCall } from './model-call.js';
import { ModelError } from './model.error.js';
import { property } from './property.js';
import {
  type ConnectionVariables,
  type ProviderConnection,
  requireUsableConnection,
} from './provider-connection.js';
import { toModelError } from './provider-errors.js';
import { type ErrorResponse, providerFetch } from './provider-fetch.js';
import type { RerankModel } from './model.port.js';

const VARIABLES: ConnectionVariables = { urlVariable: 'RERANK_BASE_URL', keyVariable: 'RERANK_API_KEY' };
/** The name that stands for a server of Text Embeddings Inference. Such a server has one model. */
const TEI = 'tei';
/** Some servers repeat the texts. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

export interface HttpRerankModelOptions extends ProviderConnection {
  /** Name of the model at the provider, or `tei` for a server of Text Embeddings Inference. */
  model: string;
  /** Address without `/rerank`, such as `https://api.cohere.com/v2`. */
  baseUrl: string;
  /** Receives every request, for metrics. */
  onCall?: OnModelCall;
}

/**
 * Creates a rerank model of a server with the API of Cohere and Jina AI, which vLLM, llama.cpp and Infinity have, too, or
 * with that of Hugging Face's Text Embeddings Inference.
 *
 * @throws ModelError (`permanent`) if the connection is malformed
 */
export function createHttpRerankModel(options: HttpRerankModelOptions): RerankModel {
  const { apiKey, names = VARIABLES } = options;
  requireUsableConnection(options, names);
  return {
    async rerank(question, texts, { signal }) {
      signal.throwIfAborted();
      let refused: ErrorResponse | undefined;
      const onError = (response: ErrorResponse): void => void (refused = response);
      const send = async (): Promise<number[]> => {
        try {
          const response = await post(options, bodyOf(options.model, question, texts), { signal, onError });
          return readScores(response, texts.length);
        } catch (error) {
          if (signal.aborted) throw signal.reason;
          throw toModelError(error, {
            variables: names,
            response: refused,
            secrets: apiKey ? [apiKey] : [],
            prompts: [question, ...texts],
          });
        }
      };
      return countCall('rerank', { onCall: options.onCall, signal }, send, () => 0);
    },
  };
}

/** Sources: the API references of Cohere (v2), Jina AI (v1) and Text Embeddings Inference. */
function bodyOf(model: string, question: string, texts: readonly string[]): object {
  return model === TEI
    ? // By default, the server refuses texts that are longer than the model accepts.
      { query: question, texts, truncate: true }
    : { model, query: question, documents: texts, top_n: texts.length };
}

async function post(
  { baseUrl, apiKey, fetcher }: HttpRerankModelOptions,
  body: object,
  limits: { signal: AbortSignal; onError: (response: ErrorResponse) => void },
): Promise<unknown> {
  const send = providerFetch({ ...limits, maxBytes: MAX_RESPONSE_BYTES, fetcher });
  const response = await send(`${withoutTrailingSlashes(baseUrl)}/rerank`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
    },
    body: JSON.stringify(body),
  });
  if (response.ok) return response.json();
  await response.body?.cancel();
  const { status, headers } = response;
  throw Object.assign(new Error('The rerank provider refused the request.'), { status, headers });
}

/**
 * Validates and reads a response of a rerank endpoint: `{results: [{index, relevance_score}]}` of Cohere and Jina AI, or
 * `[{index, score}]` of Text Embeddings Inference, in any order.
 *
 * llama.cpp returns logits. If a score of the response is outside of 0..1, all are mapped by the logistic function.
 *
 * @param count number of texts in the request
 * @returns one score per text, 0..1, in the order of the texts
 * @throws ModelError `transient` for an incomplete or malformed response
 */
export function readScores(response: unknown, count: number): number[] {
  const entries = Array.isArray(response) ? response : property(response, 'results');
  if (!Array.isArray(entries)) throw malformedResponse('it has no list of scores');
  if (entries.length !== count) throw malformedResponse(`it has ${entries.length} scores for ${count} texts`);
  const scores: number[] = Array.from({ length: count }, () => NaN);
  for (const entry of entries) {
    const index = property(entry, 'index');
    if (typeof index !== 'number' || !Number.isNaN(scores[index]))
      throw malformedResponse('the indexes of its scores are wrong');
    const score = property(entry, 'relevance_score') ?? property(entry, 'score');
    if (typeof score !== 'number') throw malformedResponse('a score is not a number');
    scores[index] = score;
  }
  return scores.every((score) => score >= 0 && score <= 1) ? scores : scores.map(logistic);
}

function logistic(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

function malformedResponse(reason: string): ModelError {
  return new ModelError('transient', `The response of the rerank provider is malformed: ${reason}.`);
}
