import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Longest time for the headers of a request, from the start of the connection or from the end of the last request. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** A body must arrive at this rate, measured over each interval. A slow mobile network has ten times as much. */
const MIN_BYTES_PER_SECOND = 1_024;
const INTERVAL_MS = 10_000;
/** Requests of one connection that are not answered yet. Clients that do not pipeline have one. */
const MAX_PIPELINED = 32;

/**
 * Closes the connections of clients that send their bodies very slowly, and refuses connections of an address that has
 * too many. Otherwise a client could occupy the server with connections on which nothing happens.
 *
 * @param maxPerAddress connections of one remote address; 0 is no limit
 * @param intervalMs between two checks of the rate
 */
export function limitConnections(
  server: Server,
  maxPerAddress: number,
  intervalMs: number = INTERVAL_MS,
): void {
  const connections = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const open = (connections.get(address) ?? 0) + 1;
    connections.set(address, open);
    socket.once('close', () => {
      const left = (connections.get(address) ?? 1) - 1;
      if (left > 0) connections.set(address, left);
      else connections.delete(address);
    });
    if (maxPerAddress > 0 && open > maxPerAddress) socket.destroy();
  });

  /** Requests whose body is arriving, and the bytes of their connection at the last check; null before the first one. */
  const receiving = new Map<IncomingMessage, number | null>();
  server.on('request', (request: IncomingMessage) => {
    receiving.set(request, null);
    request.once('close', () => receiving.delete(request));
  });
  const minBytes = (MIN_BYTES_PER_SECOND * intervalMs) / 1_000;
  const timer = setInterval(() => {
    for (const [request, before] of receiving) {
      const { bytesRead } = request.socket;
      if (request.complete) receiving.delete(request);
      else if (before !== null && isWaiting(request) && bytesRead - before < minBytes)
        request.socket.destroy();
      else receiving.set(request, bytesRead);
    }
  }, intervalMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** Whether the request waits for the client. Otherwise what has arrived waits for a slow store. */
function isWaiting(request: IncomingMessage): boolean {
  return request.readableLength < request.readableHighWaterMark;
}

/**
 * Closes connections that pipeline many requests. Node parses all requests that have arrived and handles them at once,
 * so that thousands of small ones would block the event loop.
 */
export function limitPipelining(handle: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const open = (unanswered.get(socket) ?? 0) + 1;
    if (open > MAX_PIPELINED) return void socket.destroy();
    unanswered.set(socket, open);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    return handle(request, response);
  };
}
