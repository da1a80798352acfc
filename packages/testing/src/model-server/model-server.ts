import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashedEmbedding } from './hashed-embedding.js';
import type {
  ChatReply,
  EmbeddingsReply,
  ErrorReply,
  ModelReply,
  ModelServerScript,
  ReceivedMessage,
  VectorFault,
} from './model-server.script.js';

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

/** An OpenAI-compatible server on the loopback interface with scripted replies. */
export interface ModelServer {
  /** For `OPENAI_BASE_URL`: ends in `/v1`. */
  baseUrl: string;
  /** All requests so far, oldest first. */
  requests: RecordedRequest[];
  /**
   * Queues replies, one per request to the chat or embeddings endpoint. Without a queued reply the default is
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
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
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
  const recorded: RecordedRequest = { path, headers: request.headers, body, aborted: false };
  requests.push(recorded);
  response.on('close', () => {
    recorded.aborted = !response.writableFinished;
  });

  switch (path) {
    case '/v1/models': {
      const data = (script.models ?? DEFAULT_MODELS).map((id) => ({ id, object: 'model', owned_by: 'test' }));
      return sendJson(response, 200, { object: 'list', data });
    }
    case '/v1/chat/completions': {
      const messages = messagesOf(body);
      const fallback = (): ChatReply => ({
        kind: 'chat',
        deltas: script.answer?.(messages) ?? DEFAULT_ANSWER,
      });
      return reply(response, body, queue.shift() ?? fallback(), script);
    }
    case '/v1/embeddings':
      return reply(response, body, queue.shift() ?? { kind: 'embeddings' }, script);
    default:
      return sendJson(response, 404, { error: { message: `no such endpoint: ${path}` } });
  }
}

async function reply(
  response: ServerResponse,
  body: Record<string, unknown>,
  planned: ModelReply,
  script: ModelServerScript,
): Promise<void> {
  switch (planned.kind) {
    case 'error':
      return sendError(response, planned);
    case 'hang':
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"this is": no json');
      return;
    case 'chat':
      return body.stream === true ? streamChat(response, body, planned) : sendChat(response, body, planned);
    case 'embeddings':
      return sendEmbeddings(response, body, planned, script.dimensions ?? DEFAULT_DIMENSIONS);
  }
}

function sendError(response: ServerResponse, { status, retryAfter, code, message }: ErrorReply): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  sendJson(response, status, {
    error: { message: message ?? `scripted ${status}`, type: 'scripted', code: code ?? null },
  });
}

async function sendChat(
  response: ServerResponse,
  body: Record<string, unknown>,
  planned: ChatReply,
): Promise<void> {
  await sleep(planned.firstDelayMs ?? 0);
  const text = planned.deltas.join('');
  sendJson(response, 200, {
    id: 'chatcmpl-test',
    object: 'chat.completion',
    created: 0,
    model: body.model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: usageOf(body, text),
  });
}

async function streamChat(
  response: ServerResponse,
  body: Record<string, unknown>,
  planned: ChatReply,
): Promise<void> {
  const head = { id: 'chatcmpl-test', object: 'chat.completion.chunk', created: 0, model: body.model };
  const frame = (data: string): void => void response.write(`data: ${data}\n\n`);
  const chunk = (delta: object, finishReason: string | null): void =>
    frame(JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finishReason }] }));

  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  await sleep(planned.firstDelayMs ?? 0);
  chunk({ role: 'assistant', content: '' }, null);
  for (const [index, delta] of planned.deltas.entries()) {
    if (index > 0 && planned.delayMs) await sleep(planned.delayMs);
    if (response.destroyed) return;
    chunk({ content: delta }, null);
  }
  switch (planned.end ?? 'complete') {
    case 'complete':
      chunk({}, 'stop');
      if (asObject(body.stream_options).include_usage === true) {
        frame(JSON.stringify({ ...head, choices: [], usage: usageOf(body, planned.deltas.join('')) }));
      }
      frame('[DONE]');
      response.end();
      return;
    case 'cut':
      // Lets the written frames leave before the reset.
      await sleep(20);
      response.socket?.resetAndDestroy();
      return;
    case 'early':
      response.end();
      return;
    case 'broken-json':
      frame('{"choices": [{"delta": {"content": "half a fra');
      response.end();
      return;
    case 'error-frame':
      frame(JSON.stringify({ error: { message: 'scripted failure', type: 'server_error', code: null } }));
      response.end();
      return;
    case 'hang':
      return;
  }
}

async function sendEmbeddings(
  response: ServerResponse,
  body: Record<string, unknown>,
  { fault, delayMs }: EmbeddingsReply,
  defaultDimensions: number,
): Promise<void> {
  await sleep(delayMs ?? 0);
  const dimensions = typeof body.dimensions === 'number' ? body.dimensions : defaultDimensions;
  const texts = [body.input].flat().map(String);
  const vectors = texts.map((text, index) => ({ index, vector: hashedEmbedding(text, dimensions) }));
  const data = withFault(vectors, fault).map(({ index, vector }) => ({
    object: 'embedding',
    index,
    embedding: body.encoding_format === 'base64' ? toBase64(vector) : vector,
  }));
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  sendJson(response, 200, {
    object: 'list',
    model: body.model,
    data,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

interface IndexedVector {
  index: number;
  vector: (number | null)[];
}

function withFault(vectors: IndexedVector[], fault: VectorFault | undefined): IndexedVector[] {
  const first = vectors[0];
  switch (fault) {
    case undefined:
      return vectors;
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

function usageOf(body: Record<string, unknown>, answer: string): object {
  const input = messagesOf(body).reduce((sum, { content }) => sum + countTokens(content), 0);
  const output = countTokens(answer);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

/** Counts words instead of tokens. */
function countTokens(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

function messagesOf(body: Record<string, unknown>): ReceivedMessage[] {
  const messages: unknown[] = Array.isArray(body.messages) ? body.messages : [];
  return messages
    .map(asObject)
    .map(({ role, content }) => ({ role: String(role), content: String(content) }));
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
