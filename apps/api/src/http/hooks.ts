import { randomUUID } from 'node:crypto';
import { type Logger, type Metrics, withLogContext } from '@citewell/observability';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';
import { sendError } from './api-error.filter.js';
import type { Authenticator } from './authenticator.js';
import type { RateLimiter } from './rate-limiter.js';
import { toApiError } from './to-api-error.js';

const CLIENT_REQUEST_ID = /^[\w.:-]{1,128}$/;
/** Routes without a key. Everything else needs one. */
const PUBLIC_ROUTES: ReadonlySet<string> = new Set([
  '/health/live',
  '/health/ready',
  '/metrics',
  '/api/openapi.json',
  '/api/docs',
]);
const ADMIN_ROUTES = /^\/api\/organizations(?:\/|$)/;

/** The client's own request id if it is harmless, else a new one. */
export function requestIdOf(header: unknown): string {
  return typeof header === 'string' && CLIENT_REQUEST_ID.test(header) ? header : randomUUID();
}

/**
 * What happens around every request, before its body is read: context for the log, who calls, and how often. A
 * request without a good key costs no more than its headers.
 */
export function installHooks(
  server: FastifyInstance,
  services: { authenticator: Authenticator; limiter: RateLimiter; metrics: Metrics; logger: Logger },
): void {
  const { authenticator, limiter, metrics, logger } = services;

  server.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    withLogContext({ requestId: request.id }, done);
  });

  server.addHook('onRequest', async (request, reply) => {
    try {
      await identify(request, authenticator);
      const wait = request.caller ? limiter.take(request.caller.keyId) : 0;
      if (wait > 0) {
        throw new ApiError('RATE_LIMIT', 'Too many requests with this key.', { retryAfterSeconds: wait });
      }
    } catch (error) {
      refuse(toApiError(error), request, reply, logger);
      return reply;
    }
  });

  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1_000;
    metrics.httpRequests.observe({ method: request.method, route, status: reply.statusCode }, seconds);
    logger.info(
      {
        requestId: request.id,
        organizationId: request.caller?.tenant.organizationId,
        method: request.method,
        route,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
      },
      'request',
    );
    done();
  });
}

/**
 * Decides on the route that was matched, never on the address as it was sent: the two differ where a client
 * escapes letters of the path.
 */
async function identify(request: FastifyRequest, authenticator: Authenticator): Promise<void> {
  const route = request.routeOptions.url;
  if (request.method === 'OPTIONS' || (route !== undefined && PUBLIC_ROUTES.has(route))) return;
  // Outside the API there is nothing to guard: what is not there is simply not found.
  if (route === undefined && !request.url.startsWith('/api/')) return;
  const { authorization } = request.headers;
  if (route !== undefined && ADMIN_ROUTES.test(route)) {
    if (!authenticator.isAdmin(authorization)) {
      throw new ApiError('UNAUTHORIZED', 'Organizations are managed with the admin key only.');
    }
    request.isAdmin = true;
    return;
  }
  request.caller = await authenticator.authenticate(authorization);
}

function refuse(error: ApiError, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  if (error.status >= 500) logger.error({ err: error.cause ?? error }, 'request failed');
  sendError(error, request, reply);
}
