import type { ErrorEnvelope } from '@citewell/contracts/http';
import type { Logger } from '@citewell/observability';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from './api-error.js';
import { toApiError } from './to-api-error.js';

/** The envelope of an error. */
export function toEnvelope(error: ApiError, requestId: string): ErrorEnvelope {
  return {
    error: error.code,
    message: error.message,
    ...(error.details ? { details: [...error.details] } : {}),
    requestId,
  };
}

/** Sends an error as the one envelope that there is. */
export function sendError(error: ApiError, request: FastifyRequest, reply: FastifyReply): void {
  if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', String(error.retryAfterSeconds));
  // What is left of a body that was refused is not read: the connection ends instead.
  if (error.code === 'PAYLOAD_TOO_LARGE') reply.header('Connection', 'close');
  reply
    .status(error.status)
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(toEnvelope(error, request.id));
}

/** Every error of every request ends here. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const error = toApiError(thrown);
    // Work that breaks off because its client has left is no failure of ours.
    if (error.status >= 500 && !reply.raw.destroyed)
      this.logger.error({ err: error.cause ?? error, code: error.code }, 'request failed');
    if (reply.sent || reply.raw.headersSent) return;
    sendError(error, http.getRequest<FastifyRequest>(), reply);
  }
}
