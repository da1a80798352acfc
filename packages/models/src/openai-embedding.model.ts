import { createHash } from 'node:crypto';
import { estimateTokens, planBatches } from './embedding-batches.js';
import type { EmbeddingModel } from './embedding-model.port.js';
import { readEmbeddings } from './embedding-reply.js';
import { ModelError } from './model.error.js';
import { accountOf, connectionFields, type ProviderConnection } from './provider-connection.js';
import { toModelError } from './provider-errors.js';

const MAX_INPUT_TOKENS = 8191;
const MAX_BATCH_INPUTS = 128;
const MAX_BATCH_TOKENS = 100_000;
const MAX_IN_FLIGHT = 4;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_SLUG_LENGTH = 60;

export interface EmbeddingModelOptions extends ProviderConnection {
  /** The provider's name for the model. */
  model: string;
  /** Length of the vectors, asked for in every request. Default: the model's own, learnt by one request. */
  dimensions?: number;
  /** The most tokens that one text may have. Default 8,191, OpenAI's. */
  maxInputTokens?: number;
  /** The most texts in one request. Default 128. */
  maxBatchInputs?: number;
  /** The most tokens in one request. Default 100,000. */
  maxBatchTokens?: number;
  /** Requests at once, in one call of `embed`. Default 4. */
  maxInFlight?: number;
  /** Longest time for one request. Default 60,000. */
  requestTimeoutMs?: number;
  /** Counts a text's tokens for `maxBatchTokens`. Default: an upper estimate from its bytes. */
  countTokens?: (text: string) => number;
  /** What the model wants before a text that is searched, such as `search_document: `. Default: nothing. */
  documentPrefix?: string;
  /** What the model wants before a question, such as `search_query: `. Default: nothing. */
  queryPrefix?: string;
  /** Ends the request that learns the dimensions. */
  signal?: AbortSignal;
}

type EmbedRequest = (texts: readonly string[], signal: AbortSignal) => Promise<unknown>;

/**
 * An embedding model of any OpenAI-compatible server. Without `dimensions` it makes one request.
 *
 * @throws ModelError when that request fails
 */
export async function createEmbeddingModel(options: EmbeddingModelOptions): Promise<EmbeddingModel> {
  const request = await makeRequest(options);
  const dimensions = options.dimensions ?? (await learnDimensions(request, options));
  return {
    fingerprint: fingerprintOf(options, dimensions),
    dimensions,
    account: accountOf(options),
    maxInputTokens: options.maxInputTokens ?? MAX_INPUT_TOKENS,
    embed: (texts, { signal, kind }) => {
      const prefix = (kind === 'query' ? options.queryPrefix : options.documentPrefix) ?? '';
      return embedAll(
        texts.map((text) => prefix + text),
        options,
        (batch, batchSignal) => embedBatch(request, batch, dimensions, options, batchSignal),
        signal,
      );
    },
  };
}

async function learnDimensions(request: EmbedRequest, options: EmbeddingModelOptions): Promise<number> {
  const signal = options.signal ?? new AbortController().signal;
  const [vector] = await embedBatch(request, ['dimensions'], null, options, signal);
  if (!vector) throw new ModelError('transient', 'The embedding provider answered with no vector.');
  return vector.length;
}

async function embedAll(
  texts: readonly string[],
  options: EmbeddingModelOptions,
  embed: (batch: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>,
  cancelled: AbortSignal,
): Promise<Float32Array[]> {
  cancelled.throwIfAborted();
  const { countTokens = estimateTokens, maxInFlight = MAX_IN_FLIGHT } = options;
  const limits = {
    maxInputs: options.maxBatchInputs ?? MAX_BATCH_INPUTS,
    maxTokens: options.maxBatchTokens ?? MAX_BATCH_TOKENS,
  };
  const batches = planBatches(texts.map(countTokens), limits);
  const results: Float32Array[][] = batches.map(() => []);
  // The first failure ends the others: their vectors would be thrown away.
  const failed = new AbortController();
  const signal = AbortSignal.any([cancelled, failed.signal]);
  const queue = batches.entries();
  const worker = async (): Promise<void> => {
    for (const [at, { from, to }] of queue) {
      signal.throwIfAborted();
      results[at] = await embed(texts.slice(from, to), signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(maxInFlight, batches.length) }, worker));
  } catch (error) {
    failed.abort(error);
    throw error;
  }
  return results.flat();
}

async function embedBatch(
  request: EmbedRequest,
  texts: readonly string[],
  dimensions: number | null,
  { requestTimeoutMs = REQUEST_TIMEOUT_MS }: EmbeddingModelOptions,
  cancelled: AbortSignal,
): Promise<Float32Array[]> {
  const deadline = AbortSignal.timeout(requestTimeoutMs);
  try {
    // Providers refuse an empty text; a space embeds the same nothing.
    const inputs = texts.map((text) => text || ' ');
    const reply = await request(inputs, AbortSignal.any([cancelled, deadline]));
    return readEmbeddings(reply, texts.length, dimensions);
  } catch (error) {
    if (cancelled.aborted) throw cancelled.reason;
    if (deadline.aborted) {
      throw new ModelError(
        'transient',
        `The embedding provider gave no answer within ${requestTimeoutMs} ms.`,
      );
    }
    throw toModelError(error);
  }
}

/** LangChain is imported here, when a model is made. */
async function makeRequest(options: EmbeddingModelOptions): Promise<EmbedRequest> {
  const { OpenAIEmbeddings } = await import('@langchain/openai');
  const { model, dimensions } = options;

  /** `embedDocuments` drops surplus vectors and ignores their indexes; the answer itself can be checked. */
  class CheckedEmbeddings extends OpenAIEmbeddings {
    request(texts: readonly string[]): Promise<unknown> {
      return this.embeddingWithRetry({
        model,
        input: [...texts],
        // Left out, the client asks for base64, and misreads servers that answer with numbers all the same.
        encoding_format: 'float',
        ...(dimensions === undefined ? {} : { dimensions }),
      });
    }
  }

  return (texts, signal) => {
    const { configuration, ...fields } = connectionFields(options);
    // LangChain's embeddings take no signal: it travels in a `fetch` of this one request.
    const abortable: typeof fetch = (input, init) =>
      fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal });
    const client = new CheckedEmbeddings({
      ...fields,
      model,
      configuration: { ...configuration, fetch: abortable },
    });
    return client.request(texts);
  };
}

/**
 * Readable, and unequal for whatever makes vectors incomparable. The hash keeps names apart that look the same in
 * `[a-z0-9_]`.
 */
function fingerprintOf(options: EmbeddingModelOptions, dimensions: number): string {
  const { model, documentPrefix = '', queryPrefix = '' } = options;
  const slug = model
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_SLUG_LENGTH);
  const identity = JSON.stringify([model, dimensions, documentPrefix, queryPrefix]);
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 8);
  return `openai_${slug}_${dimensions}_${hash}`;
}
