import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A request with the parts that fake services look at. */
export interface ServiceRequest {
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  /** Of a POST, parsed as JSON. */
  readonly body: unknown;
}

/** A status with a body: JSON, or bytes. */
export interface ServiceAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A service on loopback that answers in JSON. */
export abstract class LoopbackService {
  private server: Server | null = null;
  private port = 0;
  requests: string[] = [];
  /** Answers instead of the service; null to let the service answer. */
  intercept: (request: ServiceRequest) => ServiceAnswer | null = () => null;

  protected abstract answer(request: ServiceRequest): ServiceAnswer;

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Listens, after a stop at the same port. */
  async listen(): Promise<this> {
    const server = createServer((request, response) => void this.handle(request, response));
    this.server = server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.port = (server.address() as AddressInfo).port;
    return this;
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    this.server = null;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    const body = request.method === 'POST' ? await json(request) : undefined;
    const asked = { url, headers: request.headers, body };
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    const { status = 200, headers = {}, body: content } = this.intercept(asked) ?? this.answer(asked);
    const isBytes = Buffer.isBuffer(content) || typeof content === 'string';
    response.writeHead(status, { 'content-type': isBytes ? 'text/html' : 'application/json', ...headers });
    response.end(isBytes ? content : JSON.stringify(content ?? {}));
  }
}

/** A part of a list, and where the next part begins; null after the last one. */
export function partOf<Entry>(
  all: readonly Entry[],
  start: number,
  limit: number,
): { entries: readonly Entry[]; next: number | null } {
  const entries = all.slice(start, start + limit);
  return { entries, next: start + limit < all.length ? start + limit : null };
}
