import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { asObject, CHAT_FORMATS, type ChatProvider } from './chat-formats.js';
import { hashedEmbedding } from './hashed-embedding.js';
import { BASE_PATHS, TEI_PATH } from './provider-paths.js';

/** How the bytes of a response arrive. Without a `Content-Length`, closing the connection ends the body. */
export type Delivery =
  /** In pieces of 16 kB, without a length. */
  | 'paced'
  /** At once, without a length. */
  | 'burst'
  /** At once, with a length. The connection is closed after it. */
  | 'burst-with-length'
  /** The first half at once, without a length: the client cannot see from HTTP that the body is incomplete. */
  | 'closed-early'
  /** The first half at once, with the length of the whole. */
  | 'truncated'
  /** The first half at once, then a reset connection. */
  | 'reset'
  /** The whole, and then spaces and line breaks until the client closes the connection. */
  | 'endless';

/** Every delivery whose body ends. */
export const DELIVERIES = [
  'paced',
  'burst',
  'burst-with-length',
  'closed-early',
  'truncated',
  'reset',
] as const satisfies readonly Delivery[];

export interface RawReply {
  delivery: Delivery;
  /** Minimum length of the body. */
  bytes: number;
  /** The bodies of later requests are 10 kB longer each, up to this length; then they begin anew. Default: `bytes`. */
  maxBytes?: number;
  /** Default 200. An error has a body of the same size. */
  status?: number;
}

/** A server that writes to its TCP connections itself, in the wire formats of the providers. */
export interface RawModelServer {
  /**
   * Base URL for a client. The URL contains the reply, so one server gives different replies. That of `openai` also has
   * embeddings and rerank; `tei` is the rerank endpoint of Text Embeddings Inference. At `hub`, every file of a model is
   * padding.
   */
  urlOf(client: ChatProvider | 'tei' | 'hub', reply: RawReply): string;
  /** Requests so far. */
  requests(): number;
  /** Stops the server and closes open connections at once. */
  close(): Promise<void>;
}

const STEP_BYTES = 10_000;
const PIECE_BYTES = 16_384;
const DELTA = 'x'.repeat(900);

/** Starts the server on 127.0.0.1 and a free port. */
export async function startRawModelServer(): Promise<RawModelServer> {
  let requests = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let received = '';
    socket.setEncoding('latin1').on('data', (text) => {
      received += String(text);
      const request = parseRequest(received, requests);
      if (!request) return;
      received = '';
      requests += 1;
      send(socket, request.reply, bodyOf(request)).catch(() => socket.destroy());
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // A server that listens on TCP has an AddressInfo.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    urlOf: (client, { delivery, bytes, maxBytes = bytes, status = 200 }) =>
      `${origin}/${delivery}/${bytes}/${maxBytes}/${status}${client === 'hub' ? '/hub' : client === 'tei' ? TEI_PATH : BASE_PATHS[client]}`,
    requests: () => requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

interface RawRequest {
  reply: Required<RawReply>;
  /** Without the reply. */
  path: string;
  body: Record<string, unknown>;
}

/** @returns null until the request is complete */
function parseRequest(received: string, earlierRequests: number): RawRequest | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = Number(/^content-length: *(\d+)/im.exec(received.slice(0, end))?.[1] ?? 0);
  const body = received.slice(end + 4);
  if (body.length < length) return null;
  const [, delivery, min, max, status, path = ''] =
    /^\S+ \/([\w-]+)\/(\d+)\/(\d+)\/(\d+)(\S+)/.exec(received) ?? [];
  const sizes = Math.floor((Number(max) - Number(min)) / STEP_BYTES) + 1;
  const bytes = Number(min) + (earlierRequests % sizes) * STEP_BYTES;
  return {
    // `urlOf` has written it.
    reply: { delivery: delivery as Delivery, bytes, maxBytes: Number(max), status: Number(status) },
    path,
    body: length > 0 ? asObject(JSON.parse(body)) : {},
  };
}

async function send(socket: Socket, { delivery, status }: Required<RawReply>, body: string): Promise<void> {
  const hasLength = delivery === 'burst-with-length' || delivery === 'truncated';
  const head =
    `HTTP/1.1 ${status} Scripted\r\ncontent-type: ${body.startsWith('{') || body.startsWith('[') ? 'application/json' : 'text/event-stream'}\r\n` +
    `${hasLength ? `content-length: ${body.length}\r\n` : ''}connection: close\r\n\r\n`;
  const half = head + body.slice(0, body.length / 2);
  switch (delivery) {
    case 'paced':
      socket.write(head);
      for (let at = 0; at < body.length; at += PIECE_BYTES) {
        await sleep(1);
        socket.write(body.slice(at, at + PIECE_BYTES));
      }
      socket.end();
      return;
    case 'burst':
    case 'burst-with-length':
      socket.end(head + body);
      return;
    case 'closed-early':
    case 'truncated':
      socket.end(half);
      return;
    case 'reset':
      socket.write(half);
      await sleep(20);
      socket.resetAndDestroy();
      return;
    case 'endless':
      socket.write(head + body);
      while (!socket.destroyed) {
        if (!socket.write(' \n'.repeat(PIECE_BYTES / 2))) await sleep(1);
      }
  }
}

function bodyOf({ path, body, reply: { status, bytes } }: RawRequest): string {
  if (status >= 400) return JSON.stringify({ error: { message: 'x'.repeat(bytes), type: 'scripted' } });
  const format = Object.entries(CHAT_FORMATS).find(([provider, { path: pattern }]) => {
    const base = Object.entries(BASE_PATHS).find(([name]) => name === provider)?.[1] ?? '';
    return path.startsWith(`${base}/`) && pattern.test(path.slice(base.length));
  })?.[1];
  if (format) {
    const delta = format.delta(DELTA);
    const usage = { input: 1, output: 1 };
    return format.head(usage) + delta.repeat(Math.ceil(bytes / delta.length)) + format.tail(usage, body);
  }
  return JSON.stringify(jsonOf(path, body)).padEnd(bytes);
}

function jsonOf(path: string, { input, documents, texts, model, dimensions }: RawRequest['body']): unknown {
  const count = [documents ?? texts ?? []].flat().length;
  if (path.endsWith('/embeddings')) {
    const length = typeof dimensions === 'number' ? dimensions : 64;
    const data = [input].flat().map((text, index) => ({
      object: 'embedding',
      index,
      embedding: hashedEmbedding(String(text), length),
    }));
    return { object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } };
  }
  const indexes = Array.from({ length: count }, (_, index) => index);
  if (path === `${TEI_PATH}/rerank`) return indexes.map((index) => ({ index, score: 0.5 }));
  if (path.endsWith('/rerank')) return { results: indexes.map((index) => ({ index, relevance_score: 0.5 })) };
  return {};
}
