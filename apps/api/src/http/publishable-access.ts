import type { PublishableKey } from '@citewell/database';
import type { FastifyRequest } from 'fastify';
import { ApiError, notFound } from './api-error.js';
import { isOwnHost, isSameHost, type Service } from './own-address.js';

/**
 * Refuses a request with a publishable key, unless the route is open to such keys, the agent is the key's own, and the
 * page may use the key. Routes are closed by default.
 *
 * @param service without `PUBLIC_URL`, the `Host` of the request counts if it is an own address
 * @throws {@link ApiError} `FORBIDDEN`; `NOT_FOUND` for every other agent
 */
export function assertPublishableAccess(
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
