import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Time after the grace period in which answers that were aborted at its end can send their error. */
const ERROR_FLUSH_MS = 500;

/**
 * Closes connections when the server closes. A connection without a request is closed at once: browsers open
 * such connections in advance, and Node counts them as busy. Other connections are closed when their response
 * is complete, and all of them after the grace period.
 */
export function drainConnectionsOnClose(server: FastifyInstance, graceMs: number): void {
  const requests = new Map<Socket, number>();
  let isClosing = false;

  const count = (socket: Socket, change: 1 | -1): void => {
    const open = (requests.get(socket) ?? 0) + change;
    requests.set(socket, open);
    if (isClosing && open === 0) socket.end();
  };
  const http: Server = server.server;
  http.on('connection', (socket) => {
    requests.set(socket, 0);
    socket.once('close', () => requests.delete(socket));
  });
  http.on('request', (request, response) => {
    count(request.socket, 1);
    response.once('close', () => {
      if (requests.has(request.socket)) count(request.socket, -1);
    });
  });

  let timer: NodeJS.Timeout | undefined;
  server.addHook('preClose', (done) => {
    isClosing = true;
    for (const [socket, open] of requests) if (open === 0) socket.destroy();
    timer = setTimeout(() => http.closeAllConnections(), graceMs + ERROR_FLUSH_MS);
    done();
  });
  server.addHook('onClose', (_, done) => {
    clearTimeout(timer);
    done();
  });
}
