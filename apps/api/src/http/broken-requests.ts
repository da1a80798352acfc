import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, notFound } from './api-error.js';
import { sendError, toEnvelope } from './api-error.filter.js';

/** A path that no router can read: it never comes to a route or a hook. */
export function refusePath(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('X-Request-Id', request.id);
  const isTooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH';
  sendError(
    isTooLong ? notFound('thing') : new ApiError('INVALID_REQUEST', 'The path is not a valid URL.'),
    request,
    reply,
  );
}

/** What came is no HTTP: there is no request yet, so the answer is written by hand. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  // A client that is gone hears nothing.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const refusal = isTooLarge
    ? new ApiError('PAYLOAD_TOO_LARGE', 'The headers of the request are too large.')
    : new ApiError('INVALID_REQUEST', 'The request is not valid HTTP.');
  const requestId = randomUUID();
  const body = JSON.stringify(toEnvelope(refusal, requestId));
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
