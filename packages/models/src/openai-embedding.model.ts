import { createHash } from 'node:crypto';
import { CHAT_PROVIDERS } from './providers.js';
import {
  accountOf,
  clearEnvironment,
  connectionFields,
  type ProviderConnection,
  requireUsableConnection,
} from './provider-connection.js';
import { estimateTokens } from './embedding-batches.js';
import type { EmbeddingModel } from './model.port.js';
import { countCall, type OnModelCall } from './model-call.js';
import { EmbeddingQueue } from './embedding-queue.js';
import { ModelError } from './model.error.js';
import { toModelError } from './provider-errors.js';
import { type ErrorResponse, providerFetch } from './provider-fetch.js';
import { property } from './property.js';

const FLOAT_BYTES = 4;

const MAX_INPUT_TOKENS = 8191;
const MAX_BATCH_INPUTS = 128;
const MAX_BATCH_TOKENS = 100_000;
/** Servers that answer one request at a time are kept busy, and a question waits for few requests. */
const MAX_IN_FLIGHT = 2;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_SLUG_LENGTH = 60;
/** Five times the largest response that is known: 128 vectors of 4,096 numbers with 22 characters each. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

export interface EmbeddingModelOptions extends ProviderConnection {
  /** Name of the model at the provider. */
  model: string;
  /** Length of the vectors, sent in every request. Default: that of the model, detected by one request. */
  dimensions?: number;
  /** Maximum length of a text in tokens. Default 8,191, the limit of OpenAI. */
  maxInputTokens?: number;
  /** Maximum number of texts per request. Default 128. */
  maxBatchInputs?: number;
  /** Maximum number of tokens per request. Default 100,000. */
  maxBatchTokens?: number;
  /** Concurrent requests for documents, over all calls of `embed`, and for each call with queries. Default 2. */
  maxInFlight?: number;
  /** Timeout of one request. Default 60,000. */
  requestTimeoutMs?: number;
  /** Counts the tokens of a text for `maxBatchTokens`. Default: `estimateTokens`. */
  countTokens?: (text: string) => number;
  /** Aborts the request that detects the dimensions. */
  signal?: AbortSignal;
  /** Receives every request, for metrics. */
  onCall?: OnModelCall;
}

type EmbedRequest = (
  texts: readonly string[],
  signal: AbortSignal,
  onError: (response: ErrorResponse) => void,
) => Promise<unknown>;

/**
 * Creates an embedding model of an OpenAI-compatible server. Without `dimensions`, sends one request.
 *
 * @throws ModelError if that request fails, or if the connection is malformed
 */
export async function createEmbeddingModel(options: EmbeddingModelOptions): Promise<EmbeddingModel> {
  requireUsableConnection(options, options.names ?? CHAT_PROVIDERS.openai);
  const request = await createRequest(options);
  const dimensions = options.dimensions ?? (await detectDimensions(request, options));
  const limits = {
    maxInputs: options.maxBatchInputs ?? MAX_BATCH_INPUTS,
    maxTokens: options.maxBatchTokens ?? MAX_BATCH_TOKENS,
  };
  const newQueue = (): EmbeddingQueue =>
    new EmbeddingQueue((texts, signal) => embedBatch(request, texts, dimensions, options, signal), {
      limits,
      maxInFlight: options.maxInFlight ?? MAX_IN_FLIGHT,
      countTokens: options.countTokens ?? estimateTokens,
    });
  const documents = newQueue();
  return {
    fingerprint: fingerprintOf(options.model, dimensions),
    dimensions,
    account: accountOf(options),
    isNeural: true,
    maxInputTokens: options.maxInputTokens ?? MAX_INPUT_TOKENS,
    embed: (texts, { signal, kind, onRefusedText }) => {
      const isQuery = kind === 'query';
      // A person waits for a query: it does not wait for documents.
      const queue = isQuery ? newQueue() : documents;
      return queue.embed(texts, signal, onRefusedText);
    },
  };
}

async function detectDimensions(request: EmbedRequest, options: EmbeddingModelOptions): Promise<number> {
  const signal = options.signal ?? new AbortController().signal;
  const [vector] = await embedBatch(request, ['dimensions'], null, options, signal);
  if (!vector) throw new ModelError('transient', 'The embedding provider returned no vector.');
  return vector.length;
}

async function embedBatch(
  request: EmbedRequest,
  texts: readonly string[],
  dimensions: number | null,
  options: EmbeddingModelOptions,
  callerSignal: AbortSignal,
): Promise<Float32Array[]> {
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS, onCall, apiKey } = options;
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  let response: ErrorResponse | undefined;
  const onError = (received: ErrorResponse): void => void (response = received);
  const send = async (): Promise<{ vectors: Float32Array[]; tokens: number }> => {
    try {
      // Providers reject an empty text, so a space is sent instead.
      const inputs = texts.map((text) => text || ' ');
      const body = await request(inputs, AbortSignal.any([callerSignal, timeout]), onError);
      return { vectors: readEmbeddings(body, texts.length, dimensions), tokens: readInputTokens(body) };
    } catch (error) {
      if (callerSignal.aborted) throw callerSignal.reason;
      if (!timeout.aborted)
        throw toModelError(error, {
          variables: options.names ?? CHAT_PROVIDERS.openai,
          response,
          secrets: apiKey ? [apiKey] : [],
          prompts: texts,
        });
      throw new ModelError(
        'transient',
        `The embedding provider did not respond within ${requestTimeoutMs} ms.`,
      );
    }
  };
  const counting = { onCall, signal: callerSignal };
  return (await countCall('embedding', counting, send, ({ tokens }) => tokens)).vectors;
}

/** Imports LangChain, and returns a function that sends one request. */
async function createRequest(options: EmbeddingModelOptions): Promise<EmbedRequest> {
  clearEnvironment();
  const { OpenAIEmbeddings } = await import('@langchain/openai');
  const { model, dimensions } = options;

  /** Returns the raw response: `embedDocuments` drops surplus vectors and ignores their indexes. */
  class RawEmbeddings extends OpenAIEmbeddings {
    request(texts: readonly string[]): Promise<unknown> {
      return this.embeddingWithRetry({
        model,
        input: [...texts],
        // By default the client requests base64, and misreads servers that return numbers nevertheless.
        encoding_format: 'float',
        ...(dimensions === undefined ? {} : { dimensions }),
      });
    }
  }

  return (texts, signal, onError) => {
    // LangChain's embeddings do not accept a signal, so each request gets its own `fetch`.
    const { fetcher: ownFetcher } = options;
    const fetcher = providerFetch({ signal, maxBytes: MAX_RESPONSE_BYTES, onError, fetcher: ownFetcher });
    const client = new RawEmbeddings({ ...connectionFields(options, fetcher), model });
    return client.request(texts);
  };
}

/**
 * A readable name that differs for all settings that make vectors incomparable. The hash distinguishes model
 * names that are equal in `[a-z0-9_]`.
 */
function fingerprintOf(model: string, dimensions: number): string {
  const slug = model
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_SLUG_LENGTH);
  // Two settings of earlier versions are part of the names of existing spaces.
  const identity = JSON.stringify([model, dimensions, '', '']);
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 8);
  return `openai_${slug}_${dimensions}_${hash}`;
}

/**
 * Validates and reads a response of the embeddings endpoint.
 *
 * @param response the body from the provider
 * @param count number of texts in the request
 * @param dimensions expected length of the vectors; null expects the length of the first one
 * @returns the vectors in the order of the texts, whatever their order in the response
 * @throws ModelError `transient` for an incomplete or malformed response, `permanent` for other dimensions
 */
export function readEmbeddings(response: unknown, count: number, dimensions: number | null): Float32Array[] {
  const data = property(response, 'data');
  if (!Array.isArray(data)) throw malformedResponse('it has no list of vectors');
  if (data.length !== count) throw malformedResponse(`it has ${data.length} vectors for ${count} texts`);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [position, entry] of data.entries()) {
    const givenIndex = property(entry, 'index');
    const index = typeof givenIndex === 'number' ? givenIndex : position;
    if (!(index in vectors) || vectors[index])
      throw malformedResponse('the indexes of its vectors are wrong');
    vectors[index] = toVector(property(entry, 'embedding'));
  }
  const complete = vectors.filter((vector) => vector !== undefined);
  const expected = dimensions ?? complete[0]?.length;
  const mismatch = complete.find((vector) => vector.length !== expected);
  if (mismatch) {
    throw new ModelError(
      'permanent',
      `The embedding model returned vectors with ${mismatch.length} dimensions instead of ${expected}. ` +
        'Check EMBEDDING_MODEL and EMBEDDING_DIMENSIONS.',
    );
  }
  return complete;
}

/** Tokens that the provider has counted in the texts of a request; 0 if it reports none. */
function readInputTokens(response: unknown): number {
  const tokens = property(property(response, 'usage'), 'prompt_tokens');
  return typeof tokens === 'number' && tokens > 0 ? tokens : 0;
}

/** Some servers send the base64 form of 32-bit floats in any case. */
function toVector(values: unknown): Float32Array {
  if (typeof values === 'string') return fromBase64(values);
  if (!Array.isArray(values) || values.length === 0) throw malformedResponse('an entry has no vector');
  if (!values.every((value) => Number.isFinite(value)))
    throw malformedResponse('a vector has values that are not numbers');
  return Float32Array.from(values);
}

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % FLOAT_BYTES !== 0)
    throw malformedResponse('an entry has no vector');
  const vector = Float32Array.from({ length: bytes.length / FLOAT_BYTES }, (_, at) =>
    bytes.readFloatLE(at * FLOAT_BYTES),
  );
  if (!vector.every((value) => Number.isFinite(value)))
    throw malformedResponse('a vector has values that are not numbers');
  return vector;
}

function malformedResponse(reason: string): ModelError {
  return new ModelError('transient', `The response of the embedding provider is malformed: ${reason}.`, {
    reason: 'malformed',
  });
}
