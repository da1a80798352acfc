import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  asArray,
  asObject,
  CHAT_FORMATS,
  type ChatFormat,
  type ChatProvider,
  type TokenUsage,
} from './chat-formats.js';
import { hashedEmbedding } from './hashed-embedding.js';
import type {
  ChatDelta,
  ChatReply,
  EmbeddingsReply,
  ModelReply,
  ModelServerScript,
  ReceivedMessage,
  RerankReply,
  VectorFault,
} from './model-server.script.js';
import { BASE_PATHS, TEI_PATH } from './provider-paths.js';

const DEFAULT_DIMENSIONS = 64;
const DEFAULT_ANSWER = ['The sources ', 'say so ', '[1].'];
const DEFAULT_MODELS = ['test-chat', 'test-embedding'];

/** A received request. */
export interface RecordedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  /** The parsed body; `{}` without one. */
  body: Record<string, unknown>;
  /** Whether the client disconnected before the response was complete. */
  aborted: boolean;
}

/** A server on the loopback interface with scripted replies, in the wire formats of five providers. */
export interface ModelServer {
  /** For `OPENAI_BASE_URL`: ends in `/v1`. */
  baseUrl: string;
  /** Base URL for the client of each provider. */
  baseUrls: Record<ChatProvider, string>;
  /** Base URL of the rerank endpoint of Text Embeddings Inference. `baseUrl` has that of Cohere and Jina AI. */
  teiUrl: string;
  /** All requests so far, oldest first. */
  requests: RecordedRequest[];
  /**
   * Queues replies, one per request to a chat, embeddings or rerank endpoint. Without a queued reply the default is
   * used.
   */
  next(...replies: ModelReply[]): void;
  /** Stops the server and closes open connections at once. */
  close(): Promise<void>;
}

/** Starts the server on 127.0.0.1 and a free port. */
export async function startModelServer(script: ModelServerScript = {}): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const queue: ModelReply[] = [];
  const server = createServer((request, response) => {
    handle(request, response, script, requests, queue).catch((error: unknown) => {
      // Disconnecting clients are expected, but errors in a script must be visible.
      if (response.destroyed) return;
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: { message: `model server: ${String(error)}` } });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    baseUrl: `${origin}${BASE_PATHS.openai}`,
    baseUrls: {
      openai: origin + BASE_PATHS.openai,
      azure: origin + BASE_PATHS.azure,
      anthropic: origin + BASE_PATHS.anthropic,
      'google-genai': origin + BASE_PATHS['google-genai'],
      mistralai: origin + BASE_PATHS.mistralai,
      ollama: origin + BASE_PATHS.ollama,
    },
    teiUrl: origin + TEI_PATH,
    requests,
    next: (...replies) => void queue.push(...replies),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  script: ModelServerScript,
  requests: RecordedRequest[],
  queue: ModelReply[],
): Promise<void> {
  const path = request.url ?? '';
  const body = request.method === 'POST' ? asObject(await json(request)) : {};
  // Not recorded: it is no call of the model.
  if (path === `${BASE_PATHS.ollama}/api/show`) return sendShown(response, script);
  const recorded: RecordedRequest = { path, headers: request.headers, body, aborted: false };
  requests.push(recorded);
  response.on('close', () => {
    recorded.aborted = !response.writableFinished;
  });

  const format = chatFormatOf(path);
  if (format) {
    const fallback = (): ChatReply => ({
      kind: 'chat',
      deltas: script.answer?.(messagesOf(body)) ?? DEFAULT_ANSWER,
    });
    const refusal = script.refuse?.(body);
    return reply(response, body, refusal ?? queue.shift() ?? fallback(), format, script);
  }
  switch (path) {
    case '/v1/models': {
      const data = (script.models ?? DEFAULT_MODELS).map((id) => ({ id, object: 'model', owned_by: 'test' }));
      return sendJson(response, 200, { object: 'list', data });
    }
    case '/v1/embeddings': {
      const planned = script.refuse?.(body) ?? queue.shift() ?? { kind: 'embeddings' };
      return reply(response, body, planned, CHAT_FORMATS.openai, script);
    }
    case '/v1/rerank':
    case `${TEI_PATH}/rerank`:
      return reply(response, body, queue.shift() ?? rerankReply(body), CHAT_FORMATS.openai, script);
    default:
      return sendJson(response, 404, { error: { message: `no such endpoint: ${path}` } });
  }
}

function sendShown(response: ServerResponse, { contextTokens }: ModelServerScript): void {
  if (contextTokens === undefined) return sendJson(response, 404, { error: 'not found' });
  sendJson(response, 200, { model_info: { 'llama.context_length': contextTokens }, parameters: 'stop "x"' });
}

function chatFormatOf(path: string): ChatFormat | undefined {
  const match = Object.entries(BASE_PATHS).find(([, base]) => path.startsWith(`${base}/`));
  const format = Object.entries(CHAT_FORMATS).find(([provider]) => provider === match?.[0])?.[1];
  return match && format?.path.test(path.slice(match[1].length)) ? format : undefined;
}

async function reply(
  response: ServerResponse,
  body: Record<string, unknown>,
  planned: ModelReply,
  format: ChatFormat,
  script: ModelServerScript,
): Promise<void> {
  switch (planned.kind) {
    case 'error':
      if (planned.retryAfter !== undefined) response.setHeader('retry-after', planned.retryAfter);
      return sendJson(response, planned.status, format.error(planned));
    case 'hang':
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"this is": no json');
      return;
    case 'chat':
      return streamChat(response, body, planned, format);
    case 'embeddings':
      return sendEmbeddings(response, body, planned, script.dimensions ?? DEFAULT_DIMENSIONS);
    case 'rerank':
      return sendScores(response, body, planned);
  }
}

async function streamChat(
  response: ServerResponse,
  body: Record<string, unknown>,
  planned: ChatReply,
  format: ChatFormat,
): Promise<void> {
  response.writeHead(200, { 'content-type': format.contentType });
  response.flushHeaders();
  await pause(planned.firstDelayMs ?? 0);
  const texts = planned.deltas.map((delta) => (typeof delta === 'string' ? delta : ''));
  const usage = usageOf(format, body, texts.join(''));
  response.write(format.head(usage));
  for (const [index, delta] of planned.deltas.entries()) {
    if (index > 0 && planned.delayMs) await pause(planned.delayMs);
    if (response.destroyed) return;
    response.write(frameOf(format, delta));
  }
  switch (planned.end ?? 'complete') {
    case 'complete':
      response.end(format.tail(usage, body, planned.finish));
      return;
    case 'cut':
      // Lets the written frames leave before the reset.
      await pause(20);
      response.socket?.resetAndDestroy();
      return;
    case 'early':
      response.end();
      return;
    case 'broken-json':
      response.end(`${format.delta('half a frame').trimEnd().slice(0, -5)}\n\n`);
      return;
    case 'error-frame':
      response.end(format.failure);
      return;
    case 'hang':
      return;
  }
}

function frameOf(format: ChatFormat, delta: ChatDelta): string {
  if (typeof delta === 'string') return format.delta(delta);
  return 'frame' in delta ? delta.frame : format.reasoning(delta.reasoning);
}

async function sendEmbeddings(
  response: ServerResponse,
  body: Record<string, unknown>,
  { fault, delayMs }: EmbeddingsReply,
  defaultDimensions: number,
): Promise<void> {
  await pause(delayMs ?? 0);
  const dimensions = typeof body.dimensions === 'number' ? body.dimensions : defaultDimensions;
  const texts = [body.input].flat().map(String);
  const vectors = texts.map((text, index) => ({ index, vector: hashedEmbedding(text, dimensions) }));
  const data = withFault(vectors, fault).map(({ index, vector }) => ({
    object: 'embedding',
    index,
    embedding: body.encoding_format === 'base64' || fault === 'base64' ? toBase64(vector) : vector,
  }));
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  sendJson(response, 200, {
    object: 'list',
    model: body.model,
    data,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

/** By default, texts with words of the query have higher scores. */
function rerankReply({ query, texts, documents }: Record<string, unknown>): RerankReply {
  const vectorOf = (text: unknown) => hashedEmbedding(String(text), DEFAULT_DIMENSIONS);
  const queryVector = vectorOf(query);
  const scores = asArray(texts ?? documents).map((text) => {
    const cosine = vectorOf(text).reduce((sum, value, at) => sum + value * (queryVector[at] ?? 0), 0);
    return Math.max(0, cosine);
  });
  return { kind: 'rerank', scores };
}

/** Sends the scores in the format of the request, best first. */
function sendScores(
  response: ServerResponse,
  { texts, model }: Record<string, unknown>,
  { scores }: RerankReply,
): void {
  const ranked = scores.map((score, index) => ({ index, score })).sort((a, b) => b.score - a.score);
  if (texts !== undefined) return sendJson(response, 200, ranked);
  const results = ranked.map(({ index, score }) => ({ index, relevance_score: score }));
  sendJson(response, 200, { model, results });
}

interface IndexedVector {
  index: number;
  vector: (number | null)[];
}

function withFault(vectors: IndexedVector[], fault: VectorFault | undefined): IndexedVector[] {
  const first = vectors[0];
  switch (fault) {
    case undefined:
    case 'base64':
      return vectors;
    case 'same-index':
      return vectors.map(({ vector }) => ({ index: 0, vector }));
    case 'one-too-few':
      return vectors.slice(1);
    case 'one-too-many':
      return first ? [...vectors, { ...first, index: vectors.length }] : vectors;
    case 'wrong-dimension':
      return vectors.map(({ index, vector }) => ({ index, vector: vector.slice(1) }));
    case 'not-a-number':
      // JSON has no NaN: broken servers send null.
      return vectors.map(({ index, vector }) => ({ index, vector: vector.with(0, null) }));
    case 'shuffled':
      return vectors.toReversed();
  }
}

function toBase64(vector: readonly (number | null)[]): string {
  return Buffer.from(Float32Array.from(vector, (value) => value ?? NaN).buffer).toString('base64');
}

function usageOf(format: ChatFormat, body: Record<string, unknown>, answer: string): TokenUsage {
  const texts = format.prompt(body).filter((text) => typeof text === 'string');
  const input = texts.reduce((sum, text) => sum + countTokens(text), 0);
  return { input, output: countTokens(answer) };
}

/** Waits without keeping the process alive. */
async function pause(ms: number): Promise<void> {
  await sleep(ms, undefined, { ref: false });
}

/** Counts words instead of tokens. */
function countTokens(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

function messagesOf(body: Record<string, unknown>): ReceivedMessage[] {
  return asArray(body.messages)
    .map(asObject)
    .map(({ role, content }) => ({ role: String(role), content: String(content) }));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
