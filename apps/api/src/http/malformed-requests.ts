import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, notFound } from './api-error.js';
import { sendError, toEnvelope } from './api-error.filter.js';

/**
 * The URL of a request as it is routed: repeated slashes of its path count as one, and one at its end does not count.
 * Settings of clients often have one slash too many. Access and limits depend on the matched route.
 */
export function normalizeSlashes(url: string): string {
  const end = url.search(/[?#]/);
  const [path, rest] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  // An absolute URL, as proxies send it, has two slashes before its host.
  if (!path.startsWith('/')) return url;
  const single = path.replaceAll(/\/{2,}/g, '/');
  return (single.length > 1 && single.endsWith('/') ? single.slice(0, -1) : single) + rest;
}

/**
 * The URL without the base path. Paths that do not begin with it are routed, too: probes and metrics are read without a proxy,
 * and some proxies remove the base path.
 *
 * @param url of {@link normalizeSlashes}
 */
export function withoutBasePath(url: string, basePath: string): string {
  if (!url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
}

/** Responds to a path that the router cannot parse. Such a request reaches neither a route nor a hook. */
export function rejectMalformedPath(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('X-Request-Id', request.id);
  const isTooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH';
  sendError(
    isTooLong ? notFound('path') : new ApiError('INVALID_REQUEST', 'The path is not a valid URL.'),
    request,
    reply,
  );
}

/**
 * Responds to bytes that are not valid HTTP. There is no request object, so the response is written to the
 * socket.
 */
export function rejectMalformedHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const apiError = toHttpError(error.code);
  const requestId = randomUUID();
  const body = JSON.stringify(toEnvelope(apiError, requestId));
  socket.end(
    [
      `HTTP/1.1 ${apiError.status} ${STATUS_CODES[apiError.status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

function toHttpError(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError('PAYLOAD_TOO_LARGE', 'The headers of the request are too large.');
  return code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? new ApiError('INVALID_REQUEST', 'The headers of the request did not arrive in time.')
    : new ApiError('INVALID_REQUEST', 'The request is not valid HTTP.');
}
