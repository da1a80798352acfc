import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Writes a response, whether it is HTTP or not. */
export type Respond = (socket: Socket) => unknown;

/** Responses by path; `*` stands for all others, which are 404 without it. */
export type Routes = Readonly<Record<string, Respond>>;

type Headers = Readonly<Record<string, string | number>>;

/** Bounds of responses that do not end by themselves. */
const MAX_ENDLESS_BYTES = 512 * 1024 ** 2;
const MAX_ENDLESS_MS = 150_000;

/** A web server on loopback that decides on every byte that it sends. */
export class HostileServer {
  readonly origin: string;
  /** Number of requests. */
  requests = 0;

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    private readonly sockets: ReadonlySet<Socket>,
  ) {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening on a port');
    this.origin = `http://127.0.0.1:${address.port}`;
  }

  static async start(routes: Routes): Promise<HostileServer> {
    const sockets = new Set<Socket>();
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const hostile = new HostileServer(server, sockets);
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
      let request = '';
      socket.on('data', (bytes: Buffer) => {
        request += bytes.toString('latin1');
        if (!request.includes('\r\n\r\n')) return;
        const [, path = '/'] = request.split(' ');
        request = '';
        hostile.requests += 1;
        (routes[path] ?? routes['*'] ?? notFound)(socket);
      });
    });
    return hostile;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

/** The status line and the headers of a response. */
export function headOf(status: string, headers: Headers = {}): string {
  const lines = Object.entries({ connection: 'close', ...headers });
  return `HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** A response as HTTP asks for it. Default: HTML. */
export function respond(body: string | Uint8Array, headers: Headers = {}, status = '200 OK'): Respond {
  const bytes = Buffer.from(body);
  const head = headOf(status, { 'content-type': 'text/html', 'content-length': bytes.length, ...headers });
  return (socket) => socket.end(Buffer.concat([Buffer.from(head), bytes]));
}

const notFound = respond('nothing here', {}, '404 Not Found');

export function redirectTo(location: string): Respond {
  return respond('', { location }, '302 Found');
}

/** Sends bytes as they are, and closes the connection unless it `stays` open. */
export function sendBytes(bytes: string | Uint8Array, { stays = false } = {}): Respond {
  return (socket) => (stays ? socket.write(bytes) : socket.end(bytes));
}

/** Sends `start`, and then `chunk` again and again until the client gives up. */
export function sendEndlessly(start: string, chunk: string | Uint8Array, pauseMs = 0): Respond {
  return async (socket) => {
    const closed = new AbortController();
    socket.once('close', () => closed.abort());
    const started = Date.now();
    socket.write(start);
    let sent = 0;
    while (!socket.destroyed && sent < MAX_ENDLESS_BYTES && Date.now() - started < MAX_ENDLESS_MS) {
      sent += chunk.length;
      // A closed socket emits no `drain`.
      if (!socket.write(chunk)) await once(socket, 'drain', { signal: closed.signal }).catch(() => undefined);
      if (pauseMs > 0) await sleep(pauseMs);
    }
    socket.destroy();
  };
}
