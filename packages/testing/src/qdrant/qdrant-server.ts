import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { QdrantHttpError } from './qdrant-errors.js';
import { objectOf } from './qdrant-json.js';
import { QdrantRoutes } from './qdrant-routes.js';

/** Largest request body; the default of Qdrant. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export interface QdrantServerOptions {
  /** Port on 127.0.0.1. Default 0: any free port. */
  readonly port?: number;
  /** Version that the server reports. Before 1.19 it rejects `params.idf`. Default `1.19.0`. */
  readonly version?: string;
}

export interface RunningQdrantServer {
  readonly url: string;
  /** Stops the server. Its data is lost. */
  close(): Promise<void>;
}

/**
 * Starts an in-memory server with the Qdrant REST endpoints that the vector store's adapter uses, and with
 * Qdrant's status codes and shapes. It searches by brute force and is not for load tests.
 */
export async function startQdrantServer(options: QdrantServerOptions = {}): Promise<RunningQdrantServer> {
  const { port = 0, version = '1.19.0' } = options;
  const [, minor = 0] = version.split('.').map(Number);
  const routes = new QdrantRoutes(minor >= 19);
  const server = createServer((request, response) => {
    void answer(routes, version, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  routes: QdrantRoutes,
  version: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const method = request.method ?? 'GET';
  try {
    const body = await readBody(request);
    if (pathname === '/') return send(response, 200, { title: 'qdrant - vector search engine', version });
    if (['/healthz', '/livez', '/readyz'].includes(pathname)) {
      response.writeHead(200, { 'content-type': 'text/plain' }).end(`${pathname.slice(1)} check passed`);
      return undefined;
    }
    const result = routes.handle(method, pathname, body);
    return send(response, 200, { result, status: 'ok', time: 0 });
  } catch (error) {
    const status = error instanceof QdrantHttpError ? error.status : 500;
    const message = error instanceof Error ? error.message : String(error);
    return send(response, status, { status: { error: message }, time: 0 });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<ReturnType<typeof objectOf>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    // Without `setEncoding`, a request yields buffers.
    const buffer: Buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > MAX_BODY_BYTES) throw new QdrantHttpError(413, 'Payload too large');
    chunks.push(buffer);
  }
  if (bytes === 0) return {};
  try {
    return objectOf(JSON.parse(Buffer.concat(chunks).toString('utf8')), 'body');
  } catch (error) {
    if (error instanceof QdrantHttpError) throw error;
    throw new QdrantHttpError(400, 'Format error in JSON body');
  }
}
