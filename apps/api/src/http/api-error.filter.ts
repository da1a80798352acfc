import type { ErrorEnvelope } from '@citewell/contracts/schemas';
import type { FullStorage, Logger } from '@citewell/observability';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from './api-error.js';
import {
  isOpenAiRequest,
  openAiHeaders,
  openAiStatus,
  toOpenAiError,
  unknownOpenAiPath,
} from './openai-error.js';
import type { Service } from './own-address.js';
import { isScimRequest, SCIM_MEDIA_TYPE, toScimError } from './scim-format.js';
import { toApiError } from './to-api-error.js';

/** The JSON body of an error response. */
export function toEnvelope(error: ApiError, requestId: string): ErrorEnvelope {
  return {
    error: error.code,
    message: error.message,
    ...(error.details ? { details: [...error.details] } : {}),
    requestId,
  };
}

/** Sends an error response: status, headers and body, in the format of the interface that the client uses. */
export function sendError(error: ApiError, request: FastifyRequest, reply: FastifyReply): void {
  if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', String(error.retryAfterSeconds));
  // The rest of the body may be unread, so the connection cannot be used again.
  if (error.code === 'PAYLOAD_TOO_LARGE') reply.header('Connection', 'close');
  reply.header('Content-Type', 'application/json; charset=utf-8');
  const status = statusOf(error, request);
  // RFC 9110, section 15.5.2. Clients of MCP look for it.
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer realm="Citewell"');
  reply.status(status);
  if (isOpenAiRequest(request)) reply.headers(openAiHeaders(error)).send(toOpenAiError(error));
  else if (isScimRequest(request)) reply.header('Content-Type', SCIM_MEDIA_TYPE).send(toScimError(error));
  else reply.send(toEnvelope(error, request.id));
}

/** The API specification has 403 for a wrong key. Clients of other interfaces expect 401. */
function statusOf(error: ApiError, request: FastifyRequest): number {
  if (isOpenAiRequest(request)) return openAiStatus(error);
  const isOfOthers = isScimRequest(request) || request.routeOptions.url === '/mcp';
  return isOfOthers && error.code === 'UNAUTHORIZED' ? 401 : error.status;
}

/** Sends the errors that routes throw; logs those of the server. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly storage: FullStorage,
    private readonly service: Service,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const isUnknownPath = request.is404 && isOpenAiRequest(request);
    const error = isUnknownPath ? unknownOpenAiPath(request, this.service) : toApiError(thrown);
    if (error.code === 'STORAGE_FULL') this.storage.report();
    // An error after the client has disconnected is not a failure of the server.
    if (error.status >= 500 && !reply.raw.destroyed)
      this.logger.error({ err: error.cause ?? error, code: error.code }, 'request failed');
    if (reply.sent || reply.raw.headersSent) return;
    sendError(error, request, reply);
  }
}
