import { randomUUID } from 'node:crypto';
import type { PublishableKey } from '@citewell/database';
import {
  type FullStorage,
  type Logger,
  type Metrics,
  withLogContext,
  withRequestSpan,
} from '@citewell/observability';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, notFound } from './api-error.js';
import { sendError } from './api-error.filter.js';
import type { Authenticator } from './authenticator.js';
import { assertScope, type Caller } from './caller.js';
import { clientNetwork } from './client-network.js';
import type { PendingLimiter } from './pending-limiter.js';
import type { RateLimiter, UploadRateLimiter, VisitorRateLimiter } from './rate-limiter.js';
import { requestCost, tellsBodyLength, writtenDatasources } from './request-cost.js';
import { toApiError } from './to-api-error.js';
import { isOwnHost, isSameHost, type Service } from './own-address.js';

/**
 * Fastify, the pipe of a stream and the limits of connections listen for the end of a response: eleven for a file. Node warns of
 * a leak above ten.
 */
const MAX_RESPONSE_LISTENERS = 20;

const CLIENT_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The request id of the client when it is safe to log, else a new one. */
export function requestIdOf(header: unknown): string {
  return typeof header === 'string' && CLIENT_REQUEST_ID.test(header) ? header : randomUUID();
}

/** What access depends on. */
interface AccessServices {
  authenticator: Authenticator;
  limiter: RateLimiter;
  visitorLimiter: VisitorRateLimiter;
  uploadLimiter: UploadRateLimiter;
  pendingLimiter: PendingLimiter;
  config: Service;
  storage: Pick<FullStorage, 'isLow' | 'makeRoom'>;
}

const TOO_MANY_REQUESTS = 'Too many requests with this API key';
const FULL_SENTENCE =
  'The storage is full. Delete something, or ask the operator to free space. Deletions and questions still work.';

/**
 * Installs the hooks of every request: log context, access, rate limit, metrics. Access is checked before the body is
 * read, so a request that is refused costs no more than its headers. Call this before routes are registered.
 *
 * A route without access cannot be registered.
 */
export function installHooks(
  server: FastifyInstance,
  services: AccessServices & { metrics: Metrics; logger: Logger },
): void {
  const { metrics, logger } = services;

  server.addHook('onRoute', ({ method, url, config }) => {
    if (method !== 'OPTIONS' && config?.access === undefined)
      throw new Error(`The route ${String(method)} ${url} has no access decorator, such as @RequireScope`);
  });

  server.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    reply.raw.setMaxListeners(MAX_RESPONSE_LISTENERS);
    withLogContext({ requestId: request.id }, () => {
      const { method } = request;
      const route = request.routeOptions.url ?? 'unknown';
      withRequestSpan(request.headers, { method, route, requestId: request.id }, reply.raw, done);
    });
  });

  server.addHook('onRequest', async (request, reply) => {
    try {
      assertOneHost(request);
      await checkAccess(request, services);
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

/** A proxy may use another one of several `Host` headers than this server: RFC 9112, section 3.2. */
function assertOneHost({ raw }: FastifyRequest): void {
  if ((raw.headersDistinct['host']?.length ?? 0) > 1)
    throw new ApiError('INVALID_REQUEST', 'The request has more than one Host header.');
}

/**
 * Authenticates a request, counts it, and checks the scope of its key. The decision depends on the matched route, never
 * on the URL as sent: the two differ when a client percent-encodes letters of the path.
 */
async function checkAccess(request: FastifyRequest, services: AccessServices): Promise<void> {
  const { authenticator, config: settings, pendingLimiter, storage } = services;
  const { url: route, config } = request.routeOptions;
  const { authorization } = request.headers;
  if (request.method === 'OPTIONS' || config.access?.kind === 'public') return;
  // Unknown paths outside the API need no key. They are answered with 404.
  if (route === undefined && !request.url.startsWith('/api/')) return;
  if (config.access?.kind === 'admin-key') {
    if (authenticator.isAdmin(authorization)) return;
    request.caller = await authenticator.authenticate(
      request.headers,
      'This endpoint requires the admin key.',
    );
    throw new ApiError('FORBIDDEN', 'This endpoint requires the admin key, not an API key.');
  }
  // The interfaces of others take keys only: the cookie of a browser never counts there.
  const isForKeysOnly = route?.startsWith('/api/') === false;
  const caller = await authenticator.authenticate(isForKeysOnly ? { authorization } : request.headers);
  // Also of a request that is refused below: the audit log names the caller.
  request.caller = caller;
  countRequest(request, caller, services);
  if (caller.publishable) assertPublishableAccess(request, caller.publishable, settings);
  else if (config.access?.kind === 'scope') assertScope(caller, config.access.scope);
  if (request.method === 'DELETE') storage.makeRoom();
  if (addsContent(request)) {
    if (storage.isLow) throw new ApiError('STORAGE_FULL', FULL_SENTENCE);
    await pendingLimiter.take(caller.tenant, writtenDatasources(route));
  }
}

/** Whether the request stores something new. Deletions and questions do not. */
function addsContent({ method, routeOptions: { url = '', config } }: FastifyRequest): boolean {
  const { access } = config;
  if (access?.kind !== 'scope' || access.scope !== 'write' || method === 'DELETE') return false;
  return !url.endsWith('/cancel');
}

/**
 * All visitors of a page share its publishable key, so each of them has a limit of their own. Uploaded bytes are those of
 * the organization, however many keys it has.
 */
function countRequest(
  request: FastifyRequest,
  { keyId, publishable, tenant: { organizationId } }: Caller,
  { limiter, visitorLimiter, uploadLimiter }: AccessServices,
): void {
  if (publishable) {
    assertNoWait(visitorLimiter.take(`${keyId} ${clientNetwork(request.ip)}`), TOO_MANY_REQUESTS);
    return;
  }
  const { requests, uploadedBytes } = requestCost(request.routeOptions.url, request.headers);
  if (requests > 0) assertNoWait(limiter.take(keyId, requests), TOO_MANY_REQUESTS);
  if (uploadedBytes === 0) return;
  assertNoWait(
    uploadLimiter.take(organizationId, uploadedBytes),
    'The organization has uploaded too many bytes',
  );
  if (!tellsBodyLength(request.headers))
    countWhenReceived(request, organizationId, uploadedBytes, uploadLimiter);
}

/** Counts the bytes of a body of unknown length, unpacked, without those that are counted already. */
function countWhenReceived(
  request: FastifyRequest,
  organizationId: string,
  countedBytes: number,
  uploadLimiter: UploadRateLimiter,
): void {
  const { socket } = request.raw;
  const before = socket.bytesRead;
  request.raw.once('close', () => {
    const bytes = Math.max(socket.bytesRead - before, request.bodyReservation?.size ?? 0);
    uploadLimiter.spend(organizationId, Math.max(0, bytes - countedBytes));
  });
}

function assertNoWait(retryAfterSeconds: number, reason: string): void {
  if (retryAfterSeconds > 0)
    throw new ApiError('RATE_LIMIT', `${reason}. Try again later.`, { retryAfterSeconds });
}

function refuse(error: ApiError, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  if (error.status >= 500) logger.error({ err: error.cause ?? error }, 'request failed');
  sendError(error, request, reply);
}

/**
 * Refuses a request with a publishable key, unless the route is open to such keys, the agent is the key's own, and the
 * page may use the key. Routes are closed by default.
 *
 * @param service without `PUBLIC_URL`, the `Host` of the request counts if it is an own address
 * @throws {@link ApiError} `FORBIDDEN`; `NOT_FOUND` for every other agent
 */
function assertPublishableAccess(
  request: FastifyRequest,
  { agentId, isAgentPublic, allowedOrigins }: PublishableKey,
  service: Service,
): void {
  const { access } = request.routeOptions.config;
  if (access?.kind !== 'scope' || access.isOpenToPublishableKeys !== true)
    throw new ApiError(
      'FORBIDDEN',
      'A publishable key can only query its agent and read the profile of its agent. Use another API key, on a server.',
    );
  const { origin } = request.headers;
  if (origin === undefined)
    throw new ApiError(
      'FORBIDDEN',
      'A publishable key works on web pages only, and the request has no Origin header. Use another API key on a server.',
    );
  if (!allowedOrigins.includes(origin) && !isOwnOrigin(origin, request, service))
    throw new ApiError(
      'FORBIDDEN',
      `Pages of ${origin.slice(0, 255)} may not use this key. Create a key with this origin in allowedOrigins, or set PUBLIC_URL if this is the address of the server.`,
    );
  // Parameters of a route are strings.
  const { id } = request.params as { id?: string };
  if (id !== agentId) throw notFound('agent');
  if (!isAgentPublic)
    throw new ApiError(
      'FORBIDDEN',
      'The agent of this key is private. Set its visibility to public to use the key.',
    );
}

/** Whether a page of the service itself sends the request: the public chat page. */
function isOwnOrigin(origin: string, { headers: { host } }: FastifyRequest, service: Service): boolean {
  if (service.PUBLIC_URL !== undefined) return origin === new URL(service.PUBLIC_URL).origin;
  // Scripts can set `X-Forwarded-Host`, but not `Host`.
  return isSameHost(origin, host) && isOwnHost(host, service);
}
