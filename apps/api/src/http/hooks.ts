import { randomUUID } from 'node:crypto';
import { type Logger, type Metrics, withLogContext } from '@citewell/observability';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';
import { sendError } from './api-error.filter.js';
import type { Authenticator } from './authenticator.js';
import type { RateLimiter } from './rate-limiter.js';
import { toApiError } from './to-api-error.js';

const CLIENT_REQUEST_ID = /^[\w.:-]{1,128}$/;
/** Routes that need no key. */
const PUBLIC_ROUTES: ReadonlySet<string> = new Set([
  '/health/live',
  '/health/ready',
  '/metrics',
  '/api/openapi.json',
  '/api/docs',
]);
const ADMIN_ROUTES = /^\/api\/organizations(?:\/|$)/;

/** The request id of the client when it is safe to log, else a new one. */
export function requestIdOf(header: unknown): string {
  return typeof header === 'string' && CLIENT_REQUEST_ID.test(header) ? header : randomUUID();
}

/**
 * Installs the hooks of every request: log context, authentication, rate limit, metrics. A request is
 * authenticated before its body is read, so a request without a valid key costs no more than its headers.
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
      await authenticate(request, authenticator);
      const wait = request.caller ? limiter.take(request.caller.keyId) : 0;
      if (wait > 0) {
        throw new ApiError('RATE_LIMIT', 'Too many requests with this API key. Try again later.', {
          retryAfterSeconds: wait,
        });
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
 * Authenticates a request. The decision depends on the matched route, never on the URL as sent: the two
 * differ when a client percent-encodes letters of the path.
 */
async function authenticate(request: FastifyRequest, authenticator: Authenticator): Promise<void> {
  const route = request.routeOptions.url;
  if (request.method === 'OPTIONS' || (route !== undefined && PUBLIC_ROUTES.has(route))) return;
  // Unknown paths outside the API need no key. They are answered with 404.
  if (route === undefined && !request.url.startsWith('/api/')) return;
  const { authorization } = request.headers;
  if (route !== undefined && ADMIN_ROUTES.test(route)) {
    if (!authenticator.isAdmin(authorization)) {
      throw new ApiError('UNAUTHORIZED', 'This endpoint requires the admin key.');
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
