import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Answers that are broken off when the grace time is over still get their error through. */
const LAST_WORD_MS = 500;

/**
 * Lets go of connections when the server closes: those without a request at once, browsers open such ones in advance
 * and Node counts them as busy; the others as soon as their answer is complete; and all of them after the grace time.
 */
export function drainConnectionsOnClose(server: FastifyInstance, graceMs: number): void {
  const requests = new Map<Socket, number>();
  let isClosing = false;

  const count = (socket: Socket, change: 1 | -1): void => {
    const left = (requests.get(socket) ?? 0) + change;
    requests.set(socket, left);
    if (isClosing && left === 0) socket.end();
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
    timer = setTimeout(() => http.closeAllConnections(), graceMs + LAST_WORD_MS);
    done();
  });
  server.addHook('onClose', (_, done) => {
    clearTimeout(timer);
    done();
  });
}
